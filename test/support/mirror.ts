import {systemClock} from '../../src/core/clock.js'
import type {MirrorColumn, MirrorTable} from '../../src/derive/mirror/column-types.js'
import type {MirrorDatabase} from '../../src/mirror/load/mirror-database.js'
import {openPostgresMirror} from '../../src/mirror/postgres-mirror.js'
import {openSqliteMirror} from '../../src/mirror/sqlite-mirror.js'
import {syncMirror} from '../../src/mirror/sync/sync.js'
import type {Synced, SyncOptions} from '../../src/mirror/sync/sync-types.js'
import {toDatabaseAddress} from '../../src/values/database-address.js'
import {createSandboxClient, type Door} from './client.js'

/** Opens a mirror: the path of a file, or the URL of a database. */
export async function openMirrorAt(name: string): Promise<MirrorDatabase> {
  const address = toDatabaseAddress(name)
  if (address.kind === 'sqlite') return openSqliteMirror(address.path)
  return openPostgresMirror(address, {name: 'vendorctl test', signal: new AbortController().signal})
}

/** Syncs as the command does, in this process. */
export async function syncHere(service: Door, name: string, changes: Partial<SyncOptions> = {}): Promise<Synced> {
  const {client} = createSandboxClient(service)
  const db = await openMirrorAt(name)
  try {
    return await syncMirror({
      ...{db, client, clock: systemClock, tool: 'vendorctl test', pagesInFlight: 4, probes: true, requireGrade: 'C'},
      source: {baseUrl: service.url, stage: 'v2.1', keyFingerprint: 'a key'},
      ...{onForecast: () => undefined, onProgress: () => undefined, onNotice: () => undefined},
      ...changes,
    })
  } finally {
    await db.close()
  }
}

/** What a query finds in a mirror. */
export async function rowsAt(name: string, sql: string): Promise<Readonly<Record<string, unknown>>[]> {
  const db = await openMirrorAt(name)
  try {
    if (db.dialect === 'postgres') await db.run('RESET search_path')
    return await db.all(sql)
  } finally {
    await db.close()
  }
}

/** A record with every number as the digits that came over the wire. */
type Raw = {readonly [name: string]: unknown}

/** Digits as they came, told apart from a text. */
class Digits {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** All records of a read, by requests of this test's own. */
export async function readRaw(
  {url, apiKey, username, password}: Door,
  path: string,
  filter: Record<string, string> = {},
): Promise<Raw[]> {
  const json = {'content-type': 'application/json', 'x-api-key': apiKey}
  const login = await fetch(`${url}/v2.1/authenticate`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({username, password}),
  })
  const {accessToken} = (await login.json()) as {accessToken: string}
  const records: Raw[] = []
  for (let page = 1, total = 1; page <= total; page++) {
    const answer = await fetch(`${url}/v2.1${path}`, {
      method: 'POST',
      headers: {...json, 'access-token': accessToken, page: String(page), size: '2000'},
      body: JSON.stringify({requestFilter: filter, routeFilter: {}, body: []}),
    })
    total = Number(answer.headers.get('total-pages'))
    records.push(...parseRaw(await answer.text()))
  }
  return records
}

type Reviver = (name: string, value: unknown, context: {source?: string}) => unknown

function parseRaw(text: string): Raw[] {
  const parse = JSON.parse as (text: string, reviver: Reviver) => Raw[] | Record<string, unknown[]>
  const found = parse(text, (_, value, {source}) => (typeof value === 'number' ? new Digits(source ?? '') : value))
  if (Array.isArray(found)) return found
  return Object.entries(found).flatMap(([machine, rights]) =>
    rights.map((rightId): Raw => ({machineId: new Digits(machine), rightId})),
  )
}

/** The rows of a table that these records must give, as texts, in the order of keys. */
export function expectedRows(table: MirrorTable, records: readonly Raw[], engine: 'sqlite' | 'postgres'): string[] {
  const rows = records.flatMap((record) => {
    const lines = table.list === undefined ? [undefined] : (record[table.list] as Raw[])
    return lines.map((line, place) =>
      sourceColumns(table).map((column) => toText(valueIn(column, record, line, place), column, engine)),
    )
  })
  return rows.map((row) => JSON.stringify(row)).sort()
}

/** The rows that are in the table, likewise. */
export async function foundRows(table: MirrorTable, name: string, engine: 'sqlite' | 'postgres'): Promise<string[]> {
  const columns = sourceColumns(table).map((column) => column.name)
  const shown =
    engine === 'sqlite'
      ? columns.map(
          (column) =>
            `CASE typeof(${column}) WHEN 'text' THEN 't' || ${column} WHEN 'null' THEN NULL ELSE 'n' || ${column} END AS ${column}`,
        )
      : columns
  const isOpen = ['templates', 'products'].includes(table.name) // which fields they have is not documented
  const rows = await rowsAt(
    name,
    `SELECT ${shown.join(', ')} FROM ${table.name} WHERE deleted_at IS NULL${isOpen ? '' : ' AND extra IS NULL'}`,
  )
  return rows.map((row) => JSON.stringify(columns.map((column) => row[column] ?? null))).sort()
}

const sourceColumns = ({columns}: MirrorTable) => columns.filter(({name}) => name !== 'extra' && name !== 'deleted_at')

function valueIn({from, path}: MirrorColumn, record: Raw, line: Raw | undefined, place: number): unknown {
  if (from === 'mirror') return new Digits(String(place + 1))
  return path.reduce<unknown>(
    (value, name) => (value as Raw | null | undefined)?.[name],
    from === 'line' ? line : record,
  )
}

/** How the engine prints a value that it holds without loss. */
function toText(value: unknown, {kind}: MirrorColumn, engine: 'sqlite' | 'postgres'): string | null {
  if (value === null || value === undefined) return null
  if (engine === 'sqlite') {
    if (value instanceof Digits && kind === 'text') return `t${value.text}` // a text that also comes as a number
    if (value instanceof Digits) return `n${kind === 'decimal' ? toSqliteReal(value.text) : value.text}`
    return typeof value === 'boolean' ? `n${Number(value)}` : `t${String(value)}`
  }
  if (value instanceof Digits) return value.text
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (kind !== 'utcTime' && kind !== 'localTime') return String(value)
  const [day = '', time = ''] = String(value).split('T')
  return `${day} ${time.includes('.') ? time.replace(/\.?0+$/, '') : time}${kind === 'utcTime' ? '+00' : ''}`
}

/** SQLite prints a whole number without a point only where it holds an integer. */
function toSqliteReal(text: string): string {
  return text.includes('.') ? (Number.isInteger(Number(text)) ? String(Number(text)) : String(Number(text))) : text
}
