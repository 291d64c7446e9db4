import {mkdirSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {expect, test} from 'vitest'
import {privateName} from '../../../src/core/private-name.js'
import {beginJob} from '../../../src/jobs/notify/job-starts.js'
import {makeFolder} from '../../support/folder.js'

test.each([
  [2, true],
  [19, true],
  [23, false], // the next night, where the clocks change
  [24, false],
])('rows of a start that was killed %i hours ago are its own: %s', (hours, isKilled) => {
  const folder = makeFolder()
  const job = {name: 'nightly', file: join(folder, 'jobs.yaml'), profile: undefined}
  const at = Date.now() - hours * 3_600_000
  mkdirSync(join(folder, 'job-starts'), {mode: 0o700})
  const mark = join(folder, 'job-starts', `${privateName([resolve(job.file), job.name])}.json`)
  writeFileSync(mark, JSON.stringify({at}), {mode: 0o600})

  const {environment, end} = beginJob(job, () => folder)

  end(0)
  expect(environment).toEqual({VENDORCTL_KILLED_START: isKilled ? String(at) : undefined})
})
