import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect} from 'vitest'
import {writeSentCounter} from '../../src/runs/journal/sent-counter.js'
import {type Home, requestsOf, test} from '../support/binary.js'
import {siteFile} from '../support/site-lines.js'

const preload = fileURLToPath(new URL('../support/full-disk.js', import.meta.url))

/** Commits to the journal: its tables, the plan, then for each set that it is sent and what was answered. */
const planCommit = 2
const firstAnswer = 4

function full(from: number, more: Record<string, string> = {}) {
  return {environment: {NODE_OPTIONS: `--import=${JSON.stringify(preload)}`, FULL_FROM: String(from), ...more}}
}

/** Three sites in sets of one. */
function create(home: Home): string[] {
  writeFileSync(join(home.path, 'sites.csv'), siteFile('Pier One', 'Pier Two', 'Pier Three'))
  return ['sites', 'create', '-f', 'sites.csv', '--set-size', '1', '--json']
}

const files = (home: Home) => readdirSync(join(home.state, 'runs')).map((name) => name.replace(/^[\d-]+-\w+/, 'ID'))

describe.concurrent('a full disk', () => {
  test.for([1, planCommit])(
    'before the run began (commit %i): nothing is sent, nothing stays',
    async (from, {start, home}) => {
      const {run, sandbox} = await start()

      const ran = await run(create(home), full(from))

      expect(ran.exitCode).toBe(12)
      expect(JSON.parse(ran.stdout)).toMatchObject({runId: null, errors: [{code: 'STATE_FULL', changed: 'none'}]})
      expect(requestsOf(sandbox)['sites.create']).toBeUndefined()
      expect(files(home)).toEqual(['beginning', 'reserve'])
    },
  )

  test('after an answer: the reserve makes room for it, and the run goes on', async ({start, home}) => {
    const {run, sandbox} = await start()
    const before = sandbox.store.count('site')

    const ran = await run(create(home), full(firstAnswer, {FULL_UNTIL_FREED: '1'}))

    expect(ran.exitCode).toBe(0)
    expect(sandbox.store.count('site')).toBe(before + 3)
    expect(files(home)).not.toContain('reserve')
  })

  test('after an answer, and no reserve is left: it is reported, and reading the records back finds it', async ({
    start,
    home,
  }) => {
    const {run, sandbox} = await start()
    const before = sandbox.store.count('site')

    const ran = await run(create(home), full(firstAnswer))
    const shown = await run(['runs', 'show', 'latest', '--json'])
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
    expect(resumed.exitCode).toBe(0)
    expect(JSON.parse(resumed.stdout)).toMatchObject({meta: {rows: {applied: 3}}})
    expect(sandbox.store.count('site')).toBe(before + 3)
  })

  test.for([
    ['is known as refused with the reserve', {FULL_UNTIL_FREED: '1'}, {exitCode: 5, inDoubt: 0}],
    ['would be in doubt without it', {}, {exitCode: 12, inDoubt: 1}],
  ] as const)('a refused alert %s', async ([, more, {exitCode, inDoubt}], {start, home}) => {
    const {run} = await start()
    writeFileSync(join(home.path, 'alerts.csv'), 'machineId,code,message\n999999,CJ,Stuck\n')

    const ran = await run(['alerts', 'create', '-f', 'alerts.csv', '--yes'], full(firstAnswer, more))
    const shown = await run(['runs', 'show', 'latest', '--json'])

    expect(ran.exitCode).toBe(exitCode)
    expect(JSON.parse(shown.stdout)).toMatchObject({data: {rows: {inDoubt, refused: 1 - inDoubt}}})
  })

  test('after no answer: what is in doubt is told as that', async ({start, home}) => {
    const {run} = await start({faults: ['reset-after-commit@sites.create#1']})

    const ran = await run(create(home), full(firstAnswer))

    expect(ran.exitCode).toBe(7)
    expect(JSON.parse(ran.stdout)).toMatchObject({meta: {rows: {applied: 0, inDoubt: 1, unsent: 2}}})
  })
})

describe.concurrent('the folder of the runs', () => {
  test('that is open to others, a link or a file is not used, and nothing is sent', async ({start, home}) => {
    const {run, sandbox} = await start()
    const runs = join(home.state, 'runs')
    const words = create(home)

    mkdirSync(runs, {recursive: true})
    chmodSync(runs, 0o755)
    const open = await run(words)
    const listed = await run(['runs', 'list'])
    chmodSync(runs, 0o700)
    const mended = await run([...words, '--dry-run'])
    const linked = await run(words, {environment: {XDG_STATE_HOME: link(home, home.state)}})
    const file = await run(words, {environment: {XDG_STATE_HOME: asFile(home)}})

    expect(open).toMatchObject({exitCode: 14, stderr: expect.stringContaining(`chmod 700 ${runs}`)})
    expect(listed.exitCode).toBe(14)
    expect(mended.exitCode).toBe(0)
    expect(linked.exitCode).toBe(14)
    expect(file.exitCode).toBe(12)
    expect(requestsOf(sandbox)['sites.create']).toBeUndefined()
  })

  test('is for its owner only, whatever the umask', async ({start, home}) => {
    const {run} = await start()

    const ran = await run(create(home), {through: ['sh', '-c', 'umask 000; exec "$@"', 'sh']})

    expect(ran.exitCode).toBe(0)
    const modes = readdirSync(join(home.state, 'runs')).map((name) => statSync(join(home.state, 'runs', name)).mode)
    expect(statSync(join(home.state, 'runs')).mode & 0o777).toBe(0o700)
    expect(new Set(modes.map((mode) => mode & 0o777))).toEqual(new Set([0o600]))
  })
})

test('a damaged journal stays as it is, and what can be read of it is shown', async ({start, home}) => {
  const {run} = await start()
  await run(create(home))
  const name = String(readdirSync(join(home.state, 'runs')).find((each) => each.endsWith('.run')))
  const path = join(home.state, 'runs', name)
  const bytes = readFileSync(path)
  bytes.fill(0xee, 4_096 * 2, 4_096 * 3) // the rows
  writeFileSync(path, bytes)

  const shown = await run(['runs', 'show', 'latest'])
  const resumed = await run(['runs', 'resume', 'latest', '--yes'])
  const again = await run(['runs', 'list', '-o', 'json'])

  expect(shown).toMatchObject({exitCode: 12, stderr: expect.stringContaining('is damaged')})
  expect(shown.stdout).toContain('sites create from sites.csv')
  expect(resumed).toMatchObject({exitCode: 12, stderr: expect.stringContaining('runs show')})
  expect(again.exitCode).toBe(0)
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

test('a run that never began says so', async ({start, home}) => {
  const {run} = await start()
  mkdirSync(join(home.state, 'runs'), {recursive: true, mode: 0o700})
  const journal = join(home.state, 'runs', '20260131-174502-1c84f.run')
  writeFileSync(journal, '', {mode: 0o600})
  writeSentCounter(journal, {operation: 'sites.create', baseUrl: 'http://127.0.0.1:1', stage: 'v2.1'}, 0, {isNew: true})

  const shown = await run(['runs', 'show', 'latest'])
  const listed = await run(['runs', 'list', '-o', 'json'])
  const next = await run(create(home))

  expect(shown).toMatchObject({exitCode: 2, stderr: expect.stringContaining('Nothing was sent')})
  expect(JSON.parse(listed.stdout)).toEqual([])
  expect(next.exitCode).toBe(0)
  expect([existsSync(journal), existsSync(`${journal}-sent`)]).toEqual([false, false])
})

/** A state folder whose runs lie behind a link. */
function link(home: Home, state: string): string {
  const other = join(home.path, 'linked')
  mkdirSync(join(other, 'vendorctl'), {recursive: true, mode: 0o700})
  symlinkSync(join(state, 'runs'), join(other, 'vendorctl', 'runs'))
  return other
}

/** A state folder in which a file lies where the runs would. */
function asFile(home: Home): string {
  const other = join(home.path, 'file')
  mkdirSync(join(other, 'vendorctl'), {recursive: true, mode: 0o700})
  writeFileSync(join(other, 'vendorctl', 'runs'), '', {mode: 0o600})
  return other
}
