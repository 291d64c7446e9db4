import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {readOperation} from '../../src/contract/index.js'
import {systemClock} from '../../src/core/clock.js'
import {mirrorTables} from '../../src/derive/mirror/tables.js'
import type {LoadTables} from '../../src/mirror/load/load-table.js'
import type {MirrorDatabase} from '../../src/mirror/load/mirror-database.js'
import {estimateSync} from '../../src/mirror/sync/estimate-sync.js'
import {writeState} from '../../src/mirror/sync/mirror-state.js'
import {listsOf} from '../../src/mirror/sync/sync.js'
import type {Synced, SyncOptions} from '../../src/mirror/sync/sync-types.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {splitElements} from '../../src/values/elements.js'
import {type JsonRecord, printJson, toNumber} from '../../src/values/json.js'
import {createSandboxClient} from '../support/client.js'
import {failureOf} from '../support/failure-of-call.js'
import {makeFolder} from '../support/folder.js'
import {expectedRows, foundRows, openMirrorAt, readRaw, rowsAt, syncHere} from '../support/mirror.js'
import {sharedPostgres} from '../support/postgres.js'
import {requestsOf} from '../support/requests.js'

const day = 86_400_000
const text = (time: number) => new Date(time).toISOString().slice(0, 19)
const start = text(Date.now() - 40 * day)
const folder = makeFolder(afterAll)
const engines = ['sqlite', 'postgres'] as const

/** A client that asks for lists at paths that the service does not have. */
const clientOf = (sandbox: Sandbox, routes: Record<string, string>) =>
  createSandboxClient(sandbox, {settings: {routes}})
let count = 0

beforeAll(() => sharedPostgres())
async function newMirror(engine: (typeof engines)[number]): Promise<string> {
  return engine === 'sqlite' ? join(folder, `${count++}.db`) : (await sharedPostgres()).database()
}

/** More pages than a test that is cut off asks for. */
const larger = {batches: 300, machines: 30}

async function withSandbox(work: (sandbox: Sandbox) => Promise<void>, options = {}): Promise<void> {
  const sandbox = await startSandbox({batches: 60, machines: 12, limits: false, ...options})
  try {
    await work(sandbox)
  } finally {
    await sandbox.close()
  }
}

const total = (sandbox: Sandbox) => Object.values(requestsOf(sandbox)).reduce((sum, one) => sum + one, 0)
const rangeOf = (end = text(Date.now() + 2 * day)) => ({StartDate: start, EndDate: end})

describe.each(engines)('a mirror in %s', (engine) => {
  test('holds cell by cell what the service sends, and a second sync changes nothing', () =>
    withSandbox(async (sandbox) => {
      const name = await newMirror(engine)

      const onNotice = expect.unreachable
      const first = await syncHere(sandbox, name, {transactions: {late: 0}, start, onNotice})
      const before = total(sandbox)
      const second = await syncHere(sandbox, name, {transactions: {late: 0}})
      const asked = total(sandbox) - before

      for (const table of mirrorTables) {
        const {path, range} = readOperation(table.operation)
        const isReport = table.operation.startsWith('reports')
        const records = isReport
          ? await readInWindows(sandbox, path)
          : await readRaw(sandbox, path, range ? rangeFromStart() : {})
        const expected = expectedRows(table, records, engine)
        expect(expected.length).toBeGreaterThan(0)
        expect(await foundRows(table, name, engine), table.name).toEqual(expected)
      }
      expect(first).toMatchObject({errors: [], grade: 'A'})
      expect(first.tables.map(({read}) => read)).toEqual(first.tables.map(({rows}) => rows))
      expect(second.tables.map(toChanges)).toEqual(mirrorTables.map(() => 0))
      expect(asked).toBe(17) // one page of each list and of one window, and the login
    }))

  test('skips a list that the service does not know, and leaves its rows as they are', () =>
    withSandbox(async (sandbox) => {
      const name = await newMirror(engine)
      const notices: string[] = []
      await syncHere(sandbox, name)
      const {client} = clientOf(sandbox, {'templates.list': '/nowhere', 'roles.rights': '/nowhere/else'})
      const lost = clientOf(sandbox, {'machines.list': '/nowhere'})

      const synced = await syncHere(sandbox, name, {client, onNotice: (text) => notices.push(text)})

      expect(synced.skipped.map(({table}) => table)).toEqual(['templates', 'machine_rights'])
      expect(synced.errors).toEqual([])
      expect(notices.filter((text) => text.includes('skipped'))).toEqual([
        expect.stringMatching(/^templates was skipped: GET \/nowhere: there is no such path/),
        expect.stringMatching(/^machine_rights was skipped: GET \/nowhere\/else: there is no such path/),
      ])
      const [kept] = await rowsAt(name, 'SELECT count(*) AS rows, count(deleted_at) AS deleted FROM machine_rights')
      expect(Number(kept?.['rows'])).toBeGreaterThan(50)
      expect(Number(kept?.['deleted'])).toBe(0)
      await expect(syncHere(sandbox, name, {client: lost.client})).rejects.toMatchObject({code: 'NO_SUCH_PATH'})
    }, larger))

  test('reads the others where a list cannot be read, is not shown to the key, or is not wanted', () =>
    withSandbox(async (sandbox) => {
      const name = await newMirror(engine)
      sandbox.faults.set([
        'status(200,html)@products.list',
        'status(DATA_ACCESS)@roles.list',
        'status(MISSING_RECORD)@templates.list',
        'status(UNKNOWN_ERROR)@machines.settings.list',
      ])

      const synced = await syncHere(sandbox, name, {skip: ['alerts', 'transactions'], transactions: {late: 0}, start})

      const read = synced.tables.map(({table}) => table)
      expect(synced.skipped.map(({table}) => table)).toEqual(['alerts', 'templates', 'roles', 'transactions'])
      expect(synced.errors.map(({message}) => message)).toEqual([
        expect.stringMatching(/^machine_settings was not read: .*UNKNOWN_ERROR/),
        expect.stringMatching(/^products was not read: .*an HTML page/),
      ])
      expect(read).toContain('machine_rights')
      expect(read).not.toContain('products')
    }))

  test('ends with the failure where nothing could be read', () =>
    withSandbox(async (sandbox) => {
      sandbox.faults.set(['status(200,html)@*'])

      await expect(syncHere(sandbox, await newMirror(engine))).rejects.toMatchObject({exit: 'unavailable'})
    }))

  test('marks what was deleted, and unmarks what came back', () =>
    withSandbox(
      async (sandbox) => {
        const name = await newMirror(engine)
        const [site = {}] = sandbox.store.read('site')
        const id = Number(site['id'])
        const [alert = {}] = sandbox.store.read('alert').slice(-1)
        const marked = async () =>
          (await rowsAt(name, 'SELECT id FROM sites WHERE deleted_at IS NOT NULL')).map((row) => Number(row['id']))
        await syncHere(sandbox, name)

        sandbox.store.remove('site', id)
        sandbox.store.remove('alert', Number(alert['id']))
        const without = await syncHere(sandbox, name)
        const gone = await marked()
        sandbox.store.change('UPDATE site SET deleted = 0 WHERE id = ?', id)
        const again = await syncHere(sandbox, name)

        expect(without.tables.find(({table}) => table === 'sites')).toMatchObject({gone: 1, deleted: 1, added: 0})
        expect(without.tables.find(({table}) => table === 'alerts')).toMatchObject({gone: 1, deleted: 1})
        expect(gone).toEqual([id])
        expect(requestsOf(sandbox)['sites.list']).toBe(3) // one page each: nothing can have moved
        expect(again.tables.find(({table}) => table === 'sites')).toMatchObject({back: 1, deleted: 0, changed: 1})
        expect(await marked()).toEqual([])
      },
      {batches: 0},
    ))

  test('compares all pages of a list where one is not what it was', () =>
    withSandbox(
      async (sandbox) => {
        const name = await newMirror(engine)
        const sync = async () => {
          const {tables} = await syncHere(sandbox, name, {pageSize: 10})
          return tables.find(({table}) => table === 'machines')
        }
        const machines = sandbox.store.read('machine')
        const count = machines.length
        await sync()

        const same = await sync()
        const last = machines.at(-1) ?? {}
        sandbox.store.change(
          'UPDATE machine SET json = ? WHERE id = ?',
          printJson({...last, prose: 'NEW'}),
          Number(last['id']),
        )
        const changed = await sync()
        sandbox.store.remove('machine', Number(last['id']))
        const without = await sync()
        const again = await sync()

        const none = {added: 0, changed: 0, gone: 0, back: 0}
        expect(same).toMatchObject({...none, read: count, rows: count})
        expect(changed).toMatchObject({...none, changed: 1, read: count, rows: count})
        expect(without).toMatchObject({...none, gone: 1, deleted: 1, read: count - 1})
        expect(again).toMatchObject({...none, deleted: 1, read: count - 1})
      },
      {batches: 0},
    ))

  test('asks by id for what moved between two pages, and deletes only what is gone', () =>
    withSandbox(
      async (sandbox) => {
        const name = await newMirror(engine)
        const [first = {}] = sandbox.store.read('machine')
        const id = Number(first['id'])
        const notices: string[] = []
        const large = '9007199254741297' // no double has this value
        let pages = 0
        const record = {...first, prose: 'LARGE'}
        sandbox.add('machine', {...record, id: 900_001})
        const text = printJson({...record, id: toNumber(large)})
        sandbox.store.change('UPDATE machine SET json = ? WHERE id = 900001', text)
        await syncHere(sandbox, name)
        sandbox.store.change('UPDATE machine SET deleted = 1 WHERE id = 900001')

        const synced = await syncHere(sandbox, name, {
          ...{pageSize: 5, pagesInFlight: 1, onNotice: (text) => notices.push(text)},
          onProgress: ({what, page}) => {
            if (what === 'machines' && page === 1 && pages++ === 0) sandbox.store.remove('machine', id)
          },
        })
        const last = await syncHere(sandbox, name)

        expect(synced.tables.find(({table}) => table === 'machines')).toMatchObject({gone: 1, deleted: 1})
        expect(notices).toEqual(['machines: 1 record moved between pages and came when asked for by id.'])
        expect(last.tables.find(({table}) => table === 'machines')).toMatchObject({gone: 1, deleted: 2})
      },
      {batches: 0},
    ))

  test('keeps fields without a column and values that do not fit in extra', () =>
    withSandbox(
      async (sandbox) => {
        const name = await newMirror(engine)
        const [site = {}] = sandbox.store.read('site')
        sandbox.add('site', {
          ...site,
          ...{
            id: 20_001,
            maxChargePrice: 'lots',
            future: {depth: toNumber('1.10')},
            name: 'tab\t \\N "q" \u{1F600}',
          },
          contact: {firstName: 'Ada', lastName: null, telephoneNumber: null, emailAddress: null, fax: 'none'},
        })
        const odd = {name: 'nul\0 letter', accountId: '7', orgId: '2024-01-01T00:00:00', isActive: 'true'}
        sandbox.add('site', {...site, ...odd, id: 20_002})
        sandbox.add('site', {...site, name: 7, id: 20_003})
        const [selection = {}] = sandbox.store.read('selection')
        sandbox.add('selection', {...selection, id: 900_001, price: 'cheap', commission: toNumber('1e500')})

        const synced = await syncHere(sandbox, name)

        const [one, two, three] = await rowsAt(name, 'SELECT * FROM sites WHERE id > 20000 ORDER BY id')
        expect(synced.errors).toEqual([])
        expect(one).toMatchObject({name: 'tab\t \\N "q" \u{1F600}', max_charge_price: null, contact_first_name: 'Ada'})
        expect(String(one?.['extra'])).toContain('"depth":1.10')
        expect(JSON.parse(String(one?.['extra']))).toEqual({
          maxChargePrice: 'lots',
          future: {depth: 1.1},
          contact: {fax: 'none'},
        })
        expect(two).toMatchObject({name: null, account_id: null, org_id: null, is_active: null})
        expect(JSON.parse(String(two?.['extra']))).toEqual(odd)
        expect(three).toMatchObject({name: null, extra: '{"name":7}'})
        expect(await rowsAt(name, 'SELECT price, commission, extra FROM selections WHERE id = 900001')).toEqual([
          {price: null, commission: null, extra: '{"price":"cheap","commission":1e500}'},
        ])
      },
      {batches: 0},
    ))

  test.each([
    [toNumber('1.5'), 'the id 1.5 is not a whole number of 64 bits'],
    [toNumber('18446744073709551615'), 'the id 18446744073709551615 is not'],
    ['7', 'the id "7" is not'],
  ])('invents no id in place of %s', (id, why) =>
    withSandbox(
      async (sandbox) => {
        const name = await newMirror(engine)
        const [site = {}] = sandbox.store.read('site')
        sandbox.store.change('UPDATE site SET json = ? WHERE id = ?', printJson({...site, id}), Number(site['id']))

        const {errors} = await syncHere(sandbox, name)

        expect(errors).toEqual([expect.objectContaining({message: expect.stringContaining(why)})])

        expect(await rowsAt(name, 'SELECT id FROM sites')).toEqual([])
      },
      {batches: 0},
    ),
  )

  test('reads late and changed batches again, and marks the lines that a batch lost', () =>
    withSandbox(async (sandbox) => {
      const name = await newMirror(engine)
      const batches = sandbox.store.read('batch')
      const at = Date.now() - 3 * day
      const [model = {}] = batches.filter(({lineItems}) => Array.isArray(lineItems) && lineItems.length > 1)
      const toBatch = (id: string, lines: number) => ({
        ...model,
        id,
        recordedAtUtc: text(at),
        lineItems: (model['lineItems'] as JsonRecord[]).slice(0, lines),
      })
      sandbox.add('batch', toBatch('B900001', 2))
      await syncHere(sandbox, name, {transactions: {late: 0}, start})

      sandbox.add('batch', {...toBatch('B900002', 1), future: 1})
      const early = await syncHere(sandbox, name, {transactions: {late: 0}})
      sandbox.store.change("UPDATE batch SET json = ? WHERE json LIKE '%B900001%'", printJson(toBatch('B900001', 1)))
      const late = await syncHere(sandbox, name, {transactions: {late: 7 * day}})

      const tableOf = (synced: typeof late, table: string) => synced.tables.find((one) => one.table === table)
      expect(tableOf(early, 'transactions')).toMatchObject({added: 0})
      expect(tableOf(late, 'transactions')).toMatchObject({added: 1, changed: 0})
      expect(tableOf(late, 'transaction_lines')).toMatchObject({added: 1, gone: 1})
      const [line] = await rowsAt(name, "SELECT position FROM transaction_lines WHERE transaction_id = 'B900002'")
      expect(Number(line?.['position'])).toBe(1)
    }))

  test('takes nothing where the dates of a list or report were lost', () =>
    withSandbox(async (sandbox) => {
      const old = '[{"id":"B1","recordedAtUtc":"2001-01-01T00:00:00","recordedAtLocal":"2001-01-01T00:00:00"}]'
      sandbox.faults.set([`json(${old})@reports.transactions`, 'strip-get-body@alerts.list'])

      const {errors} = await syncHere(sandbox, await newMirror(engine), {transactions: {late: 0}, start})
      sandbox.faults.set(['json([{"id":1,"raisedAt":"2001-01-01T00:00:00"}])@alerts.list'])
      const ofAlerts = await syncHere(sandbox, await newMirror(engine))

      expect(errors.map(({code}) => code)).toEqual(['SERVED_RANGE', 'FILTER_NOT_HONOURED'])
      expect(ofAlerts.errors.map(({code}) => code)).toEqual(['FILTER_NOT_HONOURED'])
    }))

  test('continues where it was cut off, with no page twice in it and none missing', () =>
    withSandbox(async (sandbox) => {
      const [name, whole] = [await newMirror(engine), await newMirror(engine)]
      const options = {transactions: {late: 0}, start: text(Date.now() - 70 * day), pageSize: 20}
      const requests = () => requestsOf(sandbox)['reports.transactions'] ?? 0
      await syncHere(sandbox, whole, options)
      const needed = requests()

      for (const nth of [3, 9]) {
        sandbox.faults.set([`status(403)@reports.transactions#${nth}-`])
        const cut = await syncHere(sandbox, name, {...options, pagesInFlight: 1})
        expect(cut.errors).toMatchObject([{message: expect.stringContaining('transactions was not read')}])
        sandbox.faults.set([])
      }
      const before = requests()
      const synced = await syncHere(sandbox, name, options)

      const rows = async (of: string) => rowsAt(of, 'SELECT * FROM transaction_lines ORDER BY transaction_id, position')
      expect(synced.errors).toEqual([])
      expect(await rows(name)).toEqual(await rows(whole))
      expect(requests() - before).toBeLessThan(needed)
      expect(await rowsAt(name, "SELECT name FROM vendorctl_mirror WHERE name LIKE 'transactions %'")).toEqual([])
    }, larger))

  test('that never held still is read again, and what was not proven as asked for moves no mark', () =>
    withSandbox(async (sandbox) => {
      const [name, whole] = [await newMirror(engine), await newMirror(engine)]
      const marks = () => rowsAt(name, "SELECT name FROM vendorctl_mirror WHERE name = 'transactions'")
      const forecasts: string[] = []
      const options = {transactions: {late: 0}, start: text(Date.now() - 70 * day), pageSize: 15}
      const [last] = sandbox.store.read('batch').slice(-1)
      for (let index = 0; index < 40; index++)
        sandbox.add('batch', {...last, id: `B${9_000_000 + index}`, recordedAtUtc: text(Date.now() - 20 * day)})
      sandbox.faults.set(['shuffle@reports.transactions'])

      const moving = await syncHere(sandbox, name, {...options, onForecast: (what) => forecasts.push(what)})
      sandbox.faults.clear()
      const unmarked = await marks()
      const still = await syncHere(sandbox, name, {...options, probes: false, requireGrade: 'B'})
      const unproven = await marks()
      const proven = await syncHere(sandbox, name, options)

      await syncHere(sandbox, whole, options)
      const rows = (of: string) => rowsAt(of, 'SELECT id FROM transactions ORDER BY id')
      expect([moving.errors, unmarked, unproven]).toMatchObject([[{code: 'DRIFT', exit: 10}], [], []])
      expect(still.errors).toMatchObject([{code: 'GRADE', exit: 10, hint: expect.stringContaining('the same time on')}])
      expect([proven.errors, await marks()]).toEqual([[], [{name: 'transactions'}]])
      expect(await rows(name)).toEqual(await rows(whole))
      expect(forecasts).toContain('transactions')
    }, larger))

  test('takes each page once, however often what came is kept', () =>
    withSandbox(
      async (sandbox) => {
        const name = await newMirror(engine)
        await syncHere(sandbox, name)
        const tables = listsOf(false).find(({operation}) => operation === 'sites.list')?.tables as LoadTables
        const now = text(Date.now())

        await withMirror(name, async (db) => {
          const loader = await db.openLoader(tables, [])
          loader.page(splitElements(Buffer.from('[{"id":77001}]')), () => true)
          const {waiting} = loader
          const kept = [await loader.keep({now}), await loader.keep({now})].flat()

          expect(kept).toMatchObject([
            {added: 1, unchanged: 0},
            {added: 0, unchanged: 0},
          ])
          expect([waiting > 0, loader.waiting]).toEqual([true, 0])
          await loader.forget()
        })
      },
      {batches: 0},
    ))

  test('refuses tables that are not its own, and a mirror of another service, key or later version', () =>
    withSandbox(
      async (sandbox) => {
        const [taken, name] = [await newMirror(engine), await newMirror(engine)]
        await withMirror(taken, (db) => db.run(`CREATE TABLE ${db.table('sites')} (name text)`))
        await syncHere(sandbox, name)
        const source = {baseUrl: sandbox.url, stage: 'v2.1', keyFingerprint: 'another'}

        await expect(syncHere(sandbox, taken)).rejects.toMatchObject({
          code: 'FOREIGN_DATABASE',
          message: expect.stringContaining('sites'),
        })
        await expect(syncHere(sandbox, name, {source})).rejects.toMatchObject({code: 'OTHER_SERVICE'})
        await expect(syncHere(sandbox, name, {source: {...source, stage: 'rc'}})).rejects.toMatchObject({
          code: 'OTHER_SERVICE',
        })
        const elsewhere = {...source, baseUrl: 'https://other.test'}
        await expect(syncHere(sandbox, name, {source: elsewhere})).rejects.toMatchObject({
          message: expect.stringContaining('not https://other.test (v2.1)'),
        })
        await withMirror(name, (db) => writeState(db, 'schema', '99'))
        await expect(syncHere(sandbox, name)).rejects.toMatchObject({
          code: 'MIRROR_NEWER',
          hints: ['Use vendorctl test or later.', expect.stringMatching(/^See what it has: vendorctl sql .* --db /)],
        })
        await expect(syncHere(sandbox, await newMirror(engine), {transactions: {late: 0}})).rejects.toMatchObject({
          code: 'NO_WATERMARK',
        })
      },
      {batches: 0},
    ))
})

const toChanges = ({added, changed, gone, back}: Synced['tables'][number]) => added + changed + gone + back

async function withMirror(name: string, work: (db: MirrorDatabase) => Promise<unknown>): Promise<void> {
  const db = await openMirrorAt(name)
  await work(db).finally(() => db.close())
}

test('waits for other programs before the first page of a list, and not when its requests are spent', () =>
  withSandbox(
    async (sandbox) => {
      const name = await newMirror('sqlite')
      await syncHere(sandbox, name)
      sandbox.store.remove('role_right', 6001) // a list that is what it was writes nothing
      const other = new DatabaseSync(name, {timeout: 0})
      let isHeld = false

      await syncHere(sandbox, name, {
        onProgress: () => {
          isHeld = false
          try {
            other.exec('BEGIN IMMEDIATE; ROLLBACK')
          } catch {
            isHeld = true
          }
        },
      })

      other.close()
      expect(isHeld).toBe(true)
    },
    {batches: 0},
  ))

test('only one sync writes into a database of PostgreSQL at a time', async () => {
  const name = await newMirror('postgres')
  await withMirror(name, async () => {
    await expect(openMirrorAt(name)).rejects.toMatchObject({
      code: 'MIRROR_LOCKED',
      message: expect.stringContaining('vendorctl test'),
    })
  })
  await withMirror(name, async () => undefined)
})

const rangeFromStart = () => ({StartDate: text(Date.now() - 85 * day), EndDate: text(Date.now() + 2 * day)})

/** The service serves 31 days at a time. */
async function readInWindows(sandbox: Sandbox, path: string) {
  const {EndDate} = rangeOf()
  const middle = text(Date.now() - 15 * day)
  const records = [
    ...(await readRaw(sandbox, path, {StartDate: start, EndDate: middle})),
    ...(await readRaw(sandbox, path, {StartDate: middle, EndDate})),
  ]
  return [...new Map(records.map((record) => [record['id'], record])).values()]
}

test('what another role planted in PostgreSQL is never run by a sync', () =>
  withSandbox(async (sandbox) => {
    const server = await sharedPostgres()
    const url = await server.database()
    await server.sql(
      `CREATE ROLE planter; GRANT CREATE ON SCHEMA public TO planter; CREATE TABLE public.calls (name text);
      GRANT INSERT ON public.calls TO PUBLIC; SET ROLE planter;
      CREATE FUNCTION public.log() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO public.calls VALUES (current_user); RETURN NEW; END'`,
      url,
    )
    const first = await failureOf(syncHere(sandbox, url))
    await server.sql('ALTER FUNCTION public.log() OWNER TO postgres', url)
    await syncHere(sandbox, url)
    await server.sql(
      `ALTER FUNCTION public.log() OWNER TO planter; CREATE TRIGGER logged BEFORE INSERT ON machines EXECUTE FUNCTION public.log()`,
      url,
    )
    const second = await failureOf(syncHere(sandbox, url))
    await server.sql(
      `DROP TRIGGER logged ON machines; CREATE VIEW seen AS SELECT id FROM machines; ALTER VIEW seen OWNER TO planter;
      CREATE FUNCTION public.count(bigint) RETURNS bigint LANGUAGE plpgsql AS
        'BEGIN INSERT INTO public.calls VALUES (current_user); RETURN 0; END'; ALTER FUNCTION public.count(bigint) OWNER TO planter`,
      url,
    )
    const third = await syncHere(sandbox, url)
    await server.sql(
      `DROP VIEW seen; DROP TABLE vendorctl_mirror; CREATE VIEW vendorctl_mirror AS SELECT 'schema' AS name, '1' AS value;
      ALTER VIEW vendorctl_mirror OWNER TO planter`,
      url,
    )
    const fourth = await failureOf(syncHere(sandbox, url))

    expect(first.message).toContain('the function public.log() belongs to planter')
    expect(second.message).toContain('the function of the trigger logged on public.machines belongs to planter')
    expect(second.hints[0]).toContain('DROP TRIGGER logged ON public.machines')
    expect(third.errors).toEqual([])
    expect(fourth.message).toContain('the view public.vendorctl_mirror belongs to planter')
    expect(fourth.hints[0]).toContain('DROP VIEW public.vendorctl_mirror')
    for (const {exit} of [first, second, fourth]) expect(exit).toBe('unsafe')
    expect(await server.sql('SELECT name FROM calls', url)).toEqual([])
  }))

test('an estimate counts the requests of each list that is not left out', () =>
  withSandbox(async (sandbox) => {
    const {client} = createSandboxClient(sandbox)
    const db = await openMirrorAt(await newMirror('sqlite'))
    const source = {baseUrl: sandbox.url, stage: 'v2.1', keyFingerprint: 'a key'}
    const estimate = (changes: Partial<SyncOptions>) =>
      estimateSync({db, client, source, clock: systemClock, probes: true, start, ...changes} as SyncOptions)

    const [all, some, sales] = [
      await estimate({}),
      await estimate({skip: ['machines', 'sites']}),
      await estimate({transactions: {late: 0}}),
    ]

    expect([all.requests, some.lists, some.requests]).toEqual([all.lists + 1, all.lists - 2, all.lists - 1])
    expect(sales).toMatchObject({lists: all.lists, windows: 2, requests: all.lists + sales.pages + sales.probes + 1})
    await db.close()
  }))
