import {describe, expect} from 'vitest'
import {type Home, requestsOf, test, writeLines} from '../support/binary.js'
import {siteHeader as header, siteLine as row} from '../support/site-lines.js'

const writeSites = (home: Home, ...rows: string[]) => writeLines(home, 'sites.csv', header, ...rows)

const create = (file: string, ...words: string[]) => ['sites', 'create', '-f', file, ...words]

/** The fates of the envelope. */
function toRows(stdout: string): Record<string, number> {
  return JSON.parse(stdout).meta.rows
}

const none = {applied: 0, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 0, unchanged: 0}

describe.concurrent('sites create', () => {
  test('applies every row and gives the ids in order', async ({start, home}) => {
    const {run, sandbox} = await start()
    const before = sandbox.store.count('site')
    const first = sandbox.store.nextId('site')
    const file = writeSites(home, row('One'), row('"Two, ""2"""'), row('Drei ☕'))

    const ran = await run(create(file, '--set-size', '2', '--json'))

    expect(ran.exitCode).toBe(0)
    expect(toRows(ran.stdout)).toEqual({...none, applied: 3})
    const {data} = JSON.parse(ran.stdout)
    expect(data.rows.map(({id}: {id: number}) => id)).toEqual([first, first + 1, first + 2])
    expect(
      sandbox.store
        .read('site')
        .slice(-3)
        .map(({name}) => name),
    ).toEqual(['One', 'Two, "2"', 'Drei ☕'])
    expect(sandbox.store.count('site')).toBe(before + 3)
    expect(requestsOf(sandbox)).toEqual({'auth.login': 1, 'sites.list': 1, 'sites.create': 2})
  })

  test('tells the fates on standard error and prints no data without --json', async ({start, home}) => {
    const {run} = await start()

    const ran = await run(create(writeSites(home, row('One'))))

    expect(ran).toMatchObject({exitCode: 0, stdout: ''})
    expect(ran.stderr).toContain('applied 1 · refused 0 · rolledBack 0 · inDoubt 0 · unsent 0')
  })

  test('shows file, line and code of a refusal, and what it took down with it', async ({start, home}) => {
    const {run, sandbox} = await start()
    const before = sandbox.store.count('site')
    const file = writeSites(home, row('One'), row('Two'), row('Three'), row('Ferry Quay'), row('Five'), row('Six'))

    const text = await run(create(file, '--set-size', '2'))
    const json = await run(create(writeSites(home, row('A'), row('Ferry Quay', '501')), '--json'))

    expect(text).toMatchObject({exitCode: 6, stdout: ''})
    expect(text.stderr).toMatch(/sites\.csv:5\S*\s+NAME_UNIQUENESS/)
    expect(text.stderr).toContain('applied 2 · refused 1 · rolledBack 1 · inDoubt 0 · unsent 2')
    expect(json.exitCode).toBe(5)
    expect(toRows(json.stdout)).toEqual({...none, refused: 1, rolledBack: 1})
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      errors: [{code: 'NAME_UNIQUENESS', line: 3, exit: 5, changed: 'none', retry: 'after-fix'}],
    })
    expect(sandbox.store.count('site')).toBe(before + 2)
    expect(requestsOf(sandbox)['sites.create']).toBe(3)
  })

  test('names every problem of a file and sends nothing', async ({start, home}) => {
    const {run, sandbox} = await start()
    const file = writeSites(home, row('One'), row('', '5.5'), row('Three'), row('Four', 'x').replace('Net10', 'Net11'))

    const ran = await run(create(file))
    const json = await run(create(file, '--json'))

    expect(ran).toMatchObject({exitCode: 3, stdout: ''})
    for (const place of ['sites.csv:3:3', 'sites.csv:3:5', 'sites.csv:5:7']) {
      expect(ran.stderr).toContain(`${place} error`)
    }
    expect(ran.stderr).toContain('(2 cells: line 3; "x" in line 5)')
    expect(ran.stderr).toContain('nothing was sent.')
    expect(ran.stderr).not.toContain('Nothing was changed.')
    expect(json.exitCode).toBe(3)
    expect(JSON.parse(json.stdout).errors).toHaveLength(4)
    expect(requestsOf(sandbox)).toEqual({})
  })

  test('--dry-run says what it would send, and sends nothing', async ({start, home}) => {
    const {run, sandbox} = await start()
    const file = writeSites(home, row('One'), row('Two'), row('Three'))

    const text = await run(create(file, '--dry-run', '--set-size', '2'))
    const json = await run(create(file, '--dry-run', '--json'))

    expect(text).toMatchObject({exitCode: 0, stdout: ''})
    expect(text.stderr).toContain('2 sets')
    expect(text.stderr).toMatch(/name [\s\S]* One [\s\S]* Three /)
    expect(json.exitCode).toBe(0)
    expect(JSON.parse(json.stdout)).toMatchObject({ok: true, data: {dryRun: true}})
    expect(toRows(json.stdout)).toEqual({...none, unsent: 3})
    expect(requestsOf(sandbox)).toEqual({})
  })

  test('a protected profile must be named', async ({start, home}) => {
    const {run, sandbox} = await start()
    const file = writeSites(home, row('One'))
    const environment = {VENDORCTL_PROTECTED: 'true'}

    const refused = await run(create(file, '--yes'), {environment})
    const asked = requestsOf(sandbox)['sites.create']
    const wrong = await run(create(file, '--confirm', 'other'), {environment})
    const named = await run(create(file, '--confirm', 'default'), {environment})

    expect(refused).toMatchObject({exitCode: 2, stdout: ''})
    expect(asked).toBeUndefined()
    expect(wrong.exitCode).toBe(2)
    expect(named.exitCode).toBe(0)
  })

  test.for([
    ['a file that is not there', ['-f', '/nowhere/sites.csv'], 3],
    ['no file', [], 2],
    ['a set size of 0', ['-f', 'x.csv', '--set-size', '0'], 2],
    ['an unknown format', ['-f', 'x.csv', '--input-format', 'xls'], 2],
  ] as const)('%s is refused', async ([, words, exitCode], {start}) => {
    const {run, sandbox} = await start()

    const ran = await run(['sites', 'create', ...words])

    expect(ran).toMatchObject({exitCode, stdout: ''})
    expect(requestsOf(sandbox)).toEqual({})
  })
})
