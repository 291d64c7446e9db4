import {CliFailure} from '../core/errors.js'
import {openPostgres, type Postgres, type PostgresTarget} from '../core/postgres.js'
import {checkOwners, findOwnSchema, ownPath} from '../core/postgres-owners.js'
import {refusePooler} from '../core/postgres-session.js'
import type {MirrorColumn, MirrorKind} from '../derive/mirror/column-types.js'
import {quote as toLiteral} from '../derive/mirror/render-sql.js'
import {allTables} from '../derive/mirror/tables.js'
import {findingQuery} from '../derive/mirror/upgrade.js'
import {mirrorViews} from '../derive/mirror/views.js'
import {toCellText} from '../formats/flatten.js'
import {
  emptyToken,
  endMask,
  kindShift,
  nullToken,
  numberToken,
  PageOutput,
  textToken,
  valueOfToken,
  wordToken,
} from '../formats/scan/page-renderer.js'
import {toPlainInteger, toPlainMicroseconds} from '../formats/write/plain-digits.js'
import type {JsonValue} from '../values/json.js'
import {fits, type LoadTable, type LoadTables, type RowTarget} from './load/load-table.js'
import {mergeStage} from './load/merge-stage.js'
import {
  type Loader,
  type MirrorDatabase,
  mirrorLocked,
  quote,
  type Statements,
  stageOf,
} from './load/mirror-database.js'
import {createTableFiller} from './load/record-rows.js'

/** Merging a large window, or indexing all rows, takes its time. */
const statementMilliseconds = 600_000
/** The first number of the advisory lock of a schema (`vctl` in ASCII), the same in every version of this program. */
const lockSpace = 0x7663746c

/** Opens the database and takes the lock of its schema. Throws a `CliFailure`: `locked` when another sync has it. */
export async function openPostgresMirror(
  target: PostgresTarget,
  {name, signal}: {name: string; signal: AbortSignal},
): Promise<MirrorDatabase> {
  const postgres = await openPostgres(target, {name, signal, statementMilliseconds})
  try {
    await refusePooler(postgres, () => openPostgres(target, {name, signal}), target.shown)
    const schema = await findOwnSchema(postgres)
    if (schema === undefined)
      throw new CliFailure(`${target.shown}: there is no schema to make tables in.`, {
        code: 'DATABASE_DENIED',
        hints: ['Set the search_path of the user to a schema that exists: ALTER ROLE NAME SET search_path = SCHEMA'],
      })
    const [lock] = await postgres.all(`SELECT pg_try_advisory_lock(${lockSpace}, hashtext($1)) AS acquired`, schema)
    if (lock?.['acquired'] !== 't') {
      const [holder = {}] = await postgres.all(
        `SELECT a.application_name AS name, a.pid, a.client_addr AS address, date_trunc('second', a.backend_start) AS since
         FROM pg_locks l JOIN pg_stat_activity a USING (pid)
         WHERE l.locktype = 'advisory' AND l.granted AND l.classid = ${lockSpace}
         AND l.objid = (hashtext($1)::bigint & 4294967295)::oid`,
        schema,
      )
      throw isLocked(target.shown, holder)
    }
    await checkOwners(postgres, {schema, names, isCalled: false, shown: target.shown})
    return toMirror(postgres, schema, target.shown)
  } catch (error) {
    await postgres.close()
    throw error
  }
}

const names = [...allTables, ...mirrorViews('postgres')].map(({name}) => name)

function toMirror(postgres: Postgres, schema: string, shown: string): MirrorDatabase {
  const db: MirrorDatabase = {
    dialect: 'postgres',
    name: shown,
    table: (name) => `${quote(schema)}.${quote(name)}`,
    async define(statements) {
      await checkOwners(postgres, {schema, names, isCalled: true, shown})
      const path = `SET LOCAL search_path = ${quote(schema)}, pg_temp`
      await postgres.run([path, ...statements, `SET LOCAL search_path = ${ownPath}`].join(';\n')) // one round trip
    },
    find: () => postgres.all(findingQuery('postgres', toLiteral(schema))),
    all: postgres.all,
    run: postgres.run,
    transaction: (work) => postgres.transaction(work),
    openLoader: (tables, look) => openPostgresLoader(postgres, db, tables, look),
    close: () => postgres.close(),
  }
  return db
}

function isLocked(shown: string, {name, pid, address, since}: Record<string, string | null>): CliFailure {
  const from = address === null || address === undefined ? '' : `, from ${address}`
  const holder =
    pid === undefined ? '' : ` (${name || 'a session without a name'}, server process ${pid}${from}, since ${since})`
  return mirrorLocked(shown, holder)
}

const chunkBytes = 256 * 1024

/** Rows wait as the text of COPY until they go into the stage, where they are compared when they are kept. */
async function openPostgresLoader(
  postgres: Postgres,
  db: Statements,
  tables: LoadTables,
  look: readonly string[],
): Promise<Loader> {
  const {split, filled, take, fill} = createTableFiller(tables, look, createCopyRows)
  for (const {table} of filled) {
    await postgres.run(`CREATE TEMP TABLE IF NOT EXISTS ${quote(stageOf(table.name))} (LIKE ${db.table(table.name)})`)
    await postgres.run(`TRUNCATE ${quote(stageOf(table.name))}`)
  }
  let waiting = 0
  let isSpilled = false

  const outputs = (): PageOutput[] => filled.map(({target}) => target.output)
  const settle = () => {
    for (const output of outputs()) output.at = 0
    waiting = 0
  }
  const copyAll = async () => {
    for (const {table, target} of filled) {
      const columns = [...table.columns.map(({name}) => name), 'extra']
      const {output} = target
      if (output.at > 0) await postgres.copy(quote(stageOf(table.name)), columns, chunks(output.written()))
    }
  }
  const empty = async () => {
    for (const {table} of filled) await postgres.run(`TRUNCATE ${quote(stageOf(table.name))}`)
  }

  return {
    split,
    get waiting() {
      return waiting
    },
    page(page, wanted) {
      const before = outputs().map(({at}) => at)
      try {
        const {bytes, ...found} = fill(take(page, wanted))
        waiting += bytes
        return found
      } catch (error) {
        for (const [place, output] of outputs().entries()) output.at = before[place] ?? 0
        throw error
      }
    },
    async spill() {
      await postgres.transaction(copyAll)
      isSpilled = true
      settle()
    },
    async keep({now, gone, alsoWrite}) {
      const changes = await postgres.transaction(async () => {
        await copyAll()
        const merged = await mergeStage(db, tables, {now, gone})
        await alsoWrite?.()
        await empty()
        return merged
      })
      isSpilled = false
      settle()
      return changes
    },
    async forget() {
      if (isSpilled) await empty()
      isSpilled = false
      settle()
    },
  }
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer, void, void> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

const tab = 0x09
const newline = 0x0a
const backslash = 0x5c
const bigN = 0x4e
const smallE = 0x65
/** Bytes for what `putNull` or the end of a cell writes: `\N` and a separator. */
const room = 4

const escapes: Readonly<Record<string, string>> = {'\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r'}

/**
 * Writes rows as COPY reads them. The text of a JSON string without escapes has neither tab, line end nor backslash,
 * so its bytes are copied as they came.
 */
function createCopyRows({columns}: LoadTable): RowTarget & {readonly output: PageOutput} {
  const output = new PageOutput()
  const kinds = columns.map(({kind}: MirrorColumn) => kind)

  return {
    output,
    token(column, bytes, integers, at) {
      const kind = kinds[column] as MirrorKind
      const from = integers[at] as number
      const packed = integers[at + 1] as number
      const token = packed >>> kindShift
      if (token === nullToken) return putNull()
      const end = packed & endMask
      if (!isPlain(kind, token, bytes, from, end)) return putValue(kind, valueOfToken(bytes, integers, at))
      output.ensure(end - from + room)
      const {bytes: out} = output
      let to = output.at
      for (let place = from; place < end; place++) out[to++] = bytes[place] as number
      out[to++] = tab
      output.at = to
      return true
    },
    value: (column, value) => putValue(kinds[column] as MirrorKind, value),
    empty: () => void putNull(),
    end(extra) {
      if (extra === null) putNull()
      else putText(extra)
      output.bytes[output.at - 1] = newline
    },
  }

  function putValue(kind: MirrorKind, value: JsonValue): boolean {
    const isStored = fits(kind, value)
    if (isStored) putText(toCellText(value) ?? '')
    else putNull()
    return isStored
  }

  function putText(text: string): void {
    output.text(text.replaceAll(/[\\\t\n\r]/g, (letter) => escapes[letter] as string))
    output.ensure(room)
    output.bytes[output.at++] = tab
  }

  function putNull(): true {
    output.ensure(room)
    output.bytes[output.at++] = backslash
    output.bytes[output.at++] = bigN
    output.bytes[output.at++] = tab
    return true
  }
}

/** Whether the bytes of a token are what COPY reads, and fit the column: all else is looked at as a value. */
function isPlain(kind: MirrorKind, token: number, bytes: Buffer, from: number, end: number): boolean {
  switch (kind) {
    case 'integer':
      return token === numberToken && !Number.isNaN(toPlainInteger(bytes, from, end))
    case 'decimal':
      return token === numberToken && end - from < 100 && !hasExponent(bytes, from, end)
    case 'boolean':
      return token === wordToken
    case 'utcTime':
    case 'localTime':
      return token === textToken && !Number.isNaN(toPlainMicroseconds(bytes, from, end))
    case 'text':
      return token === textToken || token === emptyToken
    case 'json':
      return false
  }
}

function hasExponent(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (((bytes[at] as number) | 0x20) === smallE) return true
  return false
}
