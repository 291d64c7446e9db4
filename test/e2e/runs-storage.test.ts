import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect} from 'vitest'
import {type Home, test, writeLines} from '../support/binary.js'
import {siteFile} from '../support/site-lines.js'

const preload = fileURLToPath(new URL('../support/full-disk.js', import.meta.url))

/** Commits to the journal: its tables, the plan, then for each set that it is sent and what was answered. */
const firstAnswer = 4

function full(from: number, more: Record<string, string> = {}) {
  return {environment: {NODE_OPTIONS: `--import=${JSON.stringify(preload)}`, FULL_FROM: String(from), ...more}}
}

/** Three sites in sets of one. */
function create(home: Home): string[] {
  writeFileSync(join(home.path, 'sites.csv'), siteFile('Pier One', 'Pier Two', 'Pier Three'))
  return ['sites', 'create', '-f', 'sites.csv', '--set-size', '1', '--json']
}

describe.concurrent('a full disk', () => {
  test('after an answer, without a reserve: reported, and found by a read later', async ({run, sandbox, home}) => {
    const before = sandbox.store.count('site')

    const ran = await run(create(home), full(firstAnswer))
    const shown = await run(['runs', 'show', 'latest', '--json'])
    const still = await run(['runs', 'show', 'latest'], full(firstAnswer, {FULL_LOCK: '1'}))
    const resumed = await run(['runs', 'resume', 'latest', '--yes', '--json'])

    expect(ran.exitCode).toBe(12)
    expect(JSON.parse(ran.stdout)).toMatchObject({
      meta: {rows: {applied: 1, inDoubt: 0, unsent: 2}},
      data: {rows: [{fate: 'applied', id: expect.any(Number)}, {}, {}]},
      errors: [{code: 'JOURNAL_LOST', message: expect.stringContaining('"ids":['), changed: 'some'}, {}],
    })
    expect(ran.stderr).toContain('vendorctl runs reconcile')
    expect(JSON.parse(shown.stdout)).toMatchObject({
      data: {
        state: 'inDoubt',
        rows: {applied: 0, inDoubt: 1},
        sets: [{why: expect.stringMatching(/^no answer was recorded/)}, {}, {}],
      },
    })
    expect(still.stdout).toContain(': 1 of 3 rows is in doubt.\n')
    expect(resumed.exitCode).toBe(0)
    expect(JSON.parse(resumed.stdout)).toMatchObject({meta: {rows: {applied: 3}}})
    expect(sandbox.store.count('site')).toBe(before + 3)
  })
  test('found while the stock is read again after a throttle: what other sets changed is reported', async ({start}) => {
    const {run, home} = await start({faults: ['throttle(2)@selections.update#2']})
    const file = writeLines(home, 'prices.csv', 'id,price', '20001,3.10', '20002,3.20')

    const ran = await run(['selections', 'update', '-f', file, '--set-size', '1', '--yes'], full(firstAnswer + 2))

    expect(ran.exitCode).toBe(12)
    expect(ran.stderr).toContain('applied 1 · refused 0 · rolledBack 0 · inDoubt 0 · unsent 1\n')
    expect(ran.stderr).not.toContain('Nothing was changed.')
  })
})
