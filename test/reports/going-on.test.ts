import {existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {describe, expect} from 'vitest'
import {openDatabase} from '../../src/core/sqlite.js'
import type {FileEvent} from '../../src/reports/export/export-types.js'
import type {Sandbox} from '../../src/sandbox/server.js'
import {failureOf} from '../support/client.js'
import {type ExportGiven, exportHere} from '../support/export.js'
import {test} from '../support/export-folder.js'

const route = 'reports.transactions'
/** Four windows. */
const range = {start: '2024-04-03T00:00:00', end: '2024-07-28T00:00:00'}
const pagesOf = (sandbox: Sandbox) =>
  Object.values(sandbox.requests()[route] ?? {}).reduce((sum, count) => sum + count, 0)

type Stopped = {
  path: string
  notices: string[]
  given: ExportGiven
  goOn: (more?: Partial<ExportGiven>) => ReturnType<typeof exportHere>
}

/** An export that stops at its nth request; `goOn` gives the same command, or another one, to a service that is well. */
async function stopAt(nth: number, given: Omit<ExportGiven, 'start' | 'end'> & {sandbox: Sandbox}): Promise<Stopped> {
  const notices: string[] = []
  const on = (event: FileEvent) => {
    if (event.kind === 'notice') notices.push(event.text)
    return given.on?.(event)
  }
  const whole: ExportGiven = {...range, ...given, on}
  given.sandbox.faults.set([`status(403)@${route}#${nth}-`])
  await failureOf(exportHere(whole))
  given.sandbox.faults.clear()
  const goOn = (more: Partial<ExportGiven> = {}) =>
    exportHere({...whole, ...more, flags: {...whole.flags, ...more.flags}})
  return {path: given.path, notices, given: whole, goOn}
}

describe('an export that was stopped', () => {
  test.for(['x.csv', 'x.tsv', 'x.ndjson', 'x.json', 'x.csv.gz', 'x.json.gz'])(
    'goes on as %s and ends in the same bytes, whatever is in flight',
    async (name, {folder, start}) => {
      const sandbox = await start({batches: 200})
      const flags = {'page-size': 12}
      const whole = join(folder, `whole-${name}`)
      await exportHere({sandbox, ...range, path: whole, flags: {...flags, 'pages-in-flight': 1}})
      const {path, notices, goOn} = await stopAt(11, {sandbox, path: join(folder, name), flags})
      const kept = statSync(`${path}.part`).size
      const before = pagesOf(sandbox)

      const {kind, manifest} = await goOn({flags: {'pages-in-flight': 7}})

      const sum = (of: 'rows' | 'batches') => manifest.windows.reduce((total, one) => total + one[of], 0)
      expect([kind, sum('rows'), sum('batches')]).toEqual(['written', manifest.rows, manifest.batches])
      expect(kept).toBeGreaterThan(name.endsWith('.gz') ? 500 : 5_000)
      expect(notices.join()).toMatch(/Resuming .*: \d+ rows there already/)
      expect(pagesOf(sandbox) - before).toBeLessThan(manifest.requests.pages + manifest.requests.probes)
      expect(readFileSync(path).equals(readFileSync(whole))).toBe(true)
      expect(readdirSync(folder).filter((file) => file.includes('part'))).toEqual([])
    },
  )

  test('before anything came is not said to be resumed', async ({folder, start}) => {
    const {notices, goOn} = await stopAt(1, {sandbox: await start({batches: 20}), path: join(folder, 'x.csv')})

    await goOn()

    expect(notices).toEqual([])
  })

  test('with a condition that moves with the time keeps the one that it began with', async ({folder, start}) => {
    const sandbox = await start({batches: 200})
    const days = Math.floor((Date.now() - Date.parse('2024-06-01')) / 86_400_000)
    const ranges: {where?: readonly string[]}[] = []
    const on = (event: FileEvent) => {
      if (event.kind === 'range') ranges.push(event)
    }
    const flags = {'page-size': 12, where: [`recordedAtUtc >= -${days}d`, 'totalPrice>0']}
    const {notices, goOn} = await stopAt(11, {sandbox, path: join(folder, 'x.csv'), flags, on})

    const {kind, manifest} = await goOn()

    expect(kind).toBe('written')
    expect(notices.join()).toContain('Resuming')
    expect(manifest.rows).toBeGreaterThan(0)
    expect(manifest.where).toEqual([expect.stringMatching(/^recordedAtUtc >=2024-06-01T/), 'totalPrice>0'])
    expect(ranges.map(({where}) => where)).toEqual([manifest.where, manifest.where])
  })

  test.for([4, 9, 14])(
    'at request %d counts what was answered, and of the requests of the rest only its own',
    async (nth, {folder, start}) => {
      const sandbox = await start({batches: 200})
      const flags = {'page-size': 12}
      const answered = () => sandbox.requests()[route]?.['200'] ?? 0
      const {goOn} = await stopAt(nth, {sandbox, path: join(folder, 'x.csv'), flags})
      const before = answered()

      const {manifest, probes = 0} = await goOn()

      expect(manifest.requests.pages + manifest.requests.probes).toBeLessThanOrEqual(answered())
      expect(probes).toBeGreaterThan(0)
      expect(probes).toBeLessThan(answered() - before)
    },
  )

  test('of a condition holds only what matches', async ({folder, start}) => {
    const sandbox = await start({batches: 200})
    const flags = {'page-size': 20, where: ['lineItem.quantity=2'], rows: 'lines'} as const
    const whole = join(folder, 'whole.json')
    await exportHere({sandbox, ...range, path: whole, flags: {...flags, where: [...flags.where]}})
    const {path, goOn} = await stopAt(6, {
      sandbox,
      path: join(folder, 'a.json'),
      flags: {...flags, where: [...flags.where]},
    })

    await goOn()

    const rows = JSON.parse(readFileSync(path, 'utf8')) as {lineItem: {quantity: number}}[]
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.every(({lineItem}) => lineItem.quantity === 2)).toBe(true)
    expect(readFileSync(path).equals(readFileSync(whole))).toBe(true)
  })

  test('and now asks for something else is refused; it starts over when told so', async ({folder, start}) => {
    const sandbox = await start({batches: 100})
    const path = join(folder, 'a.csv')
    const {goOn} = await stopAt(4, {sandbox, path, flags: {'page-size': 12}})
    const kept = readFileSync(`${path}.part`)

    const refused = await failureOf(goOn({flags: {rows: 'batches', where: ['siteId=1']}}))
    const after = readFileSync(`${path}.part`)
    const {manifest} = await goOn({flags: {rows: 'batches', fresh: true}})

    expect(refused).toMatchObject({code: 'OTHER_EXPORT', exit: 'usage'})
    expect(refused.message).toMatch(
      / rows of an unfinished export with another kind of rows.*, condition \(--where\)\.$/,
    )
    expect(refused.hints).toEqual([expect.stringContaining('Resume it'), expect.stringContaining('--fresh')])
    expect(after.equals(kept)).toBe(true)
    expect(manifest.rows).toBe(manifest.batches)
  })

  test('whose unfinished file was taken away loses nothing by something else', async ({folder, start}) => {
    const sandbox = await start({batches: 100})
    const path = join(folder, 'a.csv')
    const {goOn} = await stopAt(4, {sandbox, path, flags: {'page-size': 12}})
    rmSync(`${path}.part`)

    const {manifest} = await goOn({flags: {rows: 'batches'}})

    expect(manifest.rows).toBe(manifest.batches)
  })

  test('whose unfinished file was cut short or changed is refused; starts over when told', async ({folder, start}) => {
    const sandbox = await start({batches: 100})
    const {path, goOn} = await stopAt(5, {sandbox, path: join(folder, 'a.ndjson'), flags: {'page-size': 12}})
    const part = `${path}.part`
    const bytes = readFileSync(part)

    truncateSync(part, bytes.length - 1)
    const short = await failureOf(goOn())
    writeFileSync(part, Buffer.concat([bytes.subarray(0, -9), Buffer.from('x'.repeat(9))]))
    const changed = await failureOf(goOn())
    const fresh = await goOn({flags: {fresh: true}})

    expect(short).toMatchObject({exit: 'storage', hints: [expect.stringContaining('--fresh')]})
    expect(changed).toMatchObject({exit: 'storage', message: expect.stringContaining('was changed')})
    expect(fresh.kind).toBe('written')
  })

  test('and whose checkpoint is damaged is refused; it starts over when told so', async ({folder, start}) => {
    const sandbox = await start({batches: 100})
    const {path, goOn} = await stopAt(5, {sandbox, path: join(folder, 'a.csv'), flags: {'page-size': 12}})
    const [checkpoint = ''] = readdirSync(join(folder, 'exports')).filter((name) => name.endsWith('.db'))
    const file = join(folder, 'exports', checkpoint)
    const database = openDatabase(file)
    database.exec('PRAGMA user_version=99')
    database.close()

    const newer = await failureOf(goOn())
    writeFileSync(file, 'damaged '.repeat(99))
    const damaged = await failureOf(goOn())
    const fresh = await goOn({flags: {fresh: true}})

    expect(damaged).toMatchObject({code: 'STATE_DAMAGED', exit: 'storage'})
    expect(damaged.hints[0]).toContain('--fresh')
    expect([newer.code, newer.hints.join()]).toEqual(['STATE_NEWER', expect.not.stringContaining('--fresh')])
    expect(fresh.kind).toBe('written')
    expect(existsSync(path)).toBe(true)
  })

  test('keeps the columns with which it began: a new field is told, not put elsewhere', async ({folder, start}) => {
    const sandbox = await start({batches: 100})
    const {path, goOn} = await stopAt(5, {sandbox, path: join(folder, 'a.csv'), flags: {'page-size': 12}})
    const header = readFileSync(`${path}.part`, 'utf8').split('\n')[0]
    const last = sandbox.store.read('batch').at(-1) ?? {}
    sandbox.add('batch', {...last, id: 'B9999999', recordedAtUtc: '2024-07-20T00:00:00', colour: 'red'})

    const {kind, errors} = await goOn()

    expect(kind).toBe('incomplete')
    expect(errors).toMatchObject([{code: 'FIELDS_NOT_SHOWN', message: expect.stringContaining('colour')}])
    expect(readFileSync(`${path}.part`, 'utf8').split('\n')[0]).toBe(header)
    expect(existsSync(path)).toBe(false)
  })
})

describe('an export that is whole', () => {
  test('is not read again, until told so', async ({folder, start}) => {
    const sandbox = await start({batches: 60})
    const given = {sandbox, ...range, path: join(folder, 'a.csv')}
    await exportHere(given)
    const before = pagesOf(sandbox)

    const again = await exportHere(given)
    const afterAgain = pagesOf(sandbox)
    const fresh = await exportHere({...given, flags: {fresh: true, overwrite: true}})

    expect(again.kind).toBe('complete')
    expect(afterAgain).toBe(before)
    expect(fresh.kind).toBe('written')
    expect(pagesOf(sandbox)).toBe(before * 2)
  })

  test.for([
    ['local', '05:59', 'Tue, 30 Jul 2024 18:00:00 GMT', 'complete', undefined],
    ['local', '06:01', 'Tue, 30 Jul 2024 18:00:00 GMT', 'written', 'was read before its range had ended'],
    ['utc', '17:59', 'Tue, 30 Jul 2024 18:00:00 GMT', 'complete', undefined],
    ['utc', '18:01', 'Tue, 30 Jul 2024 18:00:00 GMT', 'written', 'was read before its range had ended'],
    ['utc', '17:59', 'unknown', 'written', 'may have been read (the service did not send its time) before'],
  ] as const)(
    'is read again by --overwrite only where its range may not have ended then: %s time, up to %s, read at %s',
    async ([basis, end, at, expected, warning], {folder, start}) => {
      const sandbox = await start({batches: 20})
      sandbox.faults.set([`hdr(date,${at})@${route}`])
      const notices: string[] = []
      const given: ExportGiven = {
        ...{sandbox, start: '2024-07-30T00:00:00', end: `2024-07-30T${end}:00`, path: join(folder, 'a.csv')},
        flags: {'time-basis': basis},
        on: (event) => void (event.kind === 'notice' && notices.push(event.text)),
      }
      await exportHere(given)

      const kept = await exportHere(given)
      const {kind} = await exportHere({...given, flags: {...given.flags, overwrite: true}})

      expect([kept.kind, kind]).toEqual(['complete', expected])
      expect(notices).toEqual(warning ? [expect.stringContaining(warning)] : [])
    },
  )

  test('is not taken for whole once it was changed, or when something else is asked', async ({folder, start}) => {
    const sandbox = await start({batches: 60})
    const given = {sandbox, ...range, path: join(folder, 'a.csv')}
    await exportHere(given)

    const other = await failureOf(exportHere({...given, flags: {rows: 'batches'}}))
    writeFileSync(given.path, 'changed')
    const changed = await failureOf(exportHere(given))

    expect([other, changed]).toMatchObject([{code: 'FILE_EXISTS'}, {code: 'FILE_EXISTS'}])
  })

  test('is the same text from pages that had to become smaller', async ({folder, start}) => {
    const sandbox = await start({batches: 300})
    const whole = join(folder, 'whole.csv')
    await exportHere({sandbox, ...range, path: whole, flags: {'page-size': 400}})
    const faults = ['status(413)@reports.transactions#2', 'status(504,html)@reports.transactions#4-5']
    sandbox.faults.set(faults)
    const path = join(folder, 'a.csv')

    const {manifest} = await exportHere({sandbox, ...range, path, flags: {'page-size': 400}})

    expect(sandbox.faults.list().map(({fired}) => fired)).toEqual([1, 2])
    expect(manifest.windows).toHaveLength(4)
    expect(readFileSync(path).equals(readFileSync(whole))).toBe(true)
  })

  test('compressed, is one text', async ({folder, start}) => {
    const sandbox = await start({batches: 100})
    const [plain, path] = [join(folder, 'a.json'), join(folder, 'a.json.gz')]
    await exportHere({sandbox, ...range, path: plain, flags: {'page-size': 12}})

    await exportHere({sandbox, ...range, path, flags: {'page-size': 12}})

    expect(gunzipSync(readFileSync(path)).equals(readFileSync(plain))).toBe(true)
  })
})
