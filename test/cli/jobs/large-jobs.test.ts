import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {CommandContext} from '../../../src/cli/app/command-context.js'
import {readFacts} from '../../../src/cli/help/facts.js'
import {checkJobs} from '../../../src/cli/jobs/check-jobs.js'
import {makeFolder} from '../../support/folder.js'
import {growthOf} from '../../support/growth.js'

const flags = Object.fromEntries(['start', 'end', 'site'].map((name) => [name, {name, type: 'option'}]))
const known = readFacts({'sites:list': JSON.stringify({summary: 'x'.repeat(100_000), flags})})
const context = {
  environment: {},
  commands: {root: '', known: async () => known, check: async () => undefined},
  caution: () => undefined,
  present: async () => undefined,
} as unknown as CommandContext

const many = (count: number, make: (place: number) => string) =>
  Array.from({length: count}, (_, at) => make(at)).join('')
const one = 'jobs:\n  a:\n    command: sites list\n    flags:\n'

test.each<[string, number, (n: number) => string]>([
  ['right jobs', 6_000, (n) => `jobs:\n${many(n, (at) => `  j${at}: {command: sites list}\n`)}`],
  ['wrong jobs', 3_000, (n) => `jobs:\n${many(n, (at) => `  j${at}: {command: sites list, flags: {x: 1}}\n`)}`],
  ['unknown flags', 8_000, (n) => one + many(n, (at) => `      f${at}: 1\n`)],
])('a jobs file of twice as many %s takes twice the time to check', async (_what, size, make) => {
  const folder = makeFolder()
  const path = join(folder, 'jobs.yaml')

  const growth = await growthOf(async (n) => {
    writeFileSync(path, make(n), {mode: 0o600})
    await checkJobs({'jobs-file': path}, context).catch((error: unknown) =>
      expect(error).toMatchObject({code: 'INVALID_JOBS'}),
    )
  }, size)

  expect(growth).toBeLessThan(3)
})
