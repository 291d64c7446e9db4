import {chmodSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {readJobsText} from '../../../src/cli/jobs/jobs-file.js'
import {failureOfCall} from '../../support/failure-of-call.js'
import {makeFolder} from '../../support/folder.js'

test.skipIf(process.platform === 'win32')('a jobs file in a folder in which others can replace it is not used', () => {
  const around = makeFolder()
  const [folder, path] = [join(around, 'shared'), join(around, 'shared', 'jobs.yaml')]
  mkdirSync(folder)
  writeFileSync(path, 'jobs:\n  a: {command: sites list}\n', {mode: 0o600})
  const read = (mode: number) => {
    chmodSync(folder, mode)
    return readJobsText(path, {}).jobs.map(({name}) => name)
  }

  const failure = failureOfCall(() => read(0o777))
  const names = [read(0o755), read(0o1777)]

  expect(failure).toMatchObject({code: 'STATE_OPEN', exit: 'unsafe'})
  expect(failure.message).toBe(`The jobs file lies in ${folder}, where others can replace it; it is not used: ${path}`)
  expect(failure.hints[0]).toBe(`chmod go-w ${folder}`)
  expect(names).toEqual([['a'], ['a']])
})
