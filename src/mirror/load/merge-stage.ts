import {CliFailure} from '../../core/errors.js'
import type {Dialect, MirrorKind} from '../../derive/mirror/column-types.js'
import {valueAt} from '../../formats/record-path.js'
import {type JsonRecord, printJson, toNumber} from '../../values/json.js'
import {isIdKey} from '../../values/record-key.js'
import {fits, type LoadTable, type LoadTables} from './load-table.js'
import {type Changes, type Gone, parameter, quote, type Statements, stageOf} from './mirror-database.js'

/**
 * Brings the rows of the stage into their tables: new ones are added, those that differ are changed, and those that came
 * back are not marked as deleted any more. Rows that are the same are not written. Rows that are all new are written
 * once and looked up never, as in the first sync.
 */
export async function mergeStage(
  db: Statements,
  {records, lines}: LoadTables,
  {now, gone}: {now: string; gone?: Gone | undefined},
): Promise<Changes[]> {
  const ofRecords = await mergeTable(db, records, () => checkKeys(db, records))
  const changes = [ofRecords]
  if (lines) {
    const ofLines = await mergeTable(db, lines)
    if (ofRecords.changed + ofRecords.unchanged > 0) ofLines.deleted = await markLinesGone(db, lines, records, now)
    changes.push(ofLines)
  }
  if (gone) ofRecords.deleted = await markGone(db, records, gone, now)
  return changes
}

/** The changes of a table before, or without, its merge. */
export function noChanges(table: string): Changes {
  return {table, added: 0, changed: 0, unchanged: 0, deleted: 0, restored: 0}
}

async function mergeTable(db: Statements, table: LoadTable, checkStage?: () => Promise<void>): Promise<Changes> {
  const [name, stage] = [db.table(table.name), quote(stageOf(table.name))]
  const columns = [...table.columns, {name: 'extra', kind: 'json' as const}]
  const names = columns.map((column) => quote(column.name))
  const insert = `INSERT INTO ${name} AS t (${names.join(', ')}) SELECT ${names.join(', ')} FROM ${stage} WHERE true
     ON CONFLICT (${table.key.map(quote).join(', ')})`
  const [{staged: count} = {}] = await db.all(`SELECT count(*) AS staged FROM ${stage}`)
  const staged = Number(count)
  const added = staged === 0 ? 0 : await db.run(`${insert} DO NOTHING`)
  if (added === staged) return {...noChanges(table.name), added}
  await indexStage(db, table)
  await checkStage?.()
  const [found = {}] = await db.all(
    `SELECT count(t.deleted_at) AS deleted FROM ${stage} s LEFT JOIN ${name} t ON ${sameKey(table)}`,
  )
  const others = columns.filter((column) => !table.key.includes(column.name))
  const compare = (from: string, last: string) =>
    `(${[...others.map((column) => comparable(db.dialect, `${from}.${quote(column.name)}`, column.kind)), last].join(', ')})`
  const differs = db.dialect === 'sqlite' ? 'IS NOT' : 'IS DISTINCT FROM'
  const changed = await db.run(
    `${insert} DO UPDATE SET
       ${others.map((column) => `${quote(column.name)} = excluded.${quote(column.name)}`).join(', ')}, deleted_at = NULL
     WHERE ${compare('t', 't.deleted_at IS NULL')} ${differs} ${compare('excluded', 'true')}`,
  )
  const unchanged = staged - added - changed
  return {...noChanges(table.name), added, changed, unchanged, restored: Number(found['deleted'])}
}

/** An index by key, made once it is needed; PostgreSQL joins by hashes. */
async function indexStage(db: Statements, {name, key}: LoadTable): Promise<void> {
  if (db.dialect === 'postgres') return
  const stage = stageOf(name)
  await db.run(
    `CREATE INDEX IF NOT EXISTS temp.${quote(`${stage}_key`)} ON ${quote(stage)} (${key.map(quote).join(', ')})`,
  )
}

/** Digits that differ are a change, also where the numbers are equal. */
function comparable(dialect: Dialect, column: string, kind: MirrorKind): string {
  return dialect === 'postgres' && (kind === 'decimal' || kind === 'json') ? `${column}::text` : column
}

function sameKey({key}: LoadTable): string {
  return key.map((column) => `t.${quote(column)} = s.${quote(column)}`).join(' AND ')
}

/** The condition of rows of `t` that are not in the stage. */
export async function isMissing(db: Statements, table: LoadTable): Promise<string> {
  await indexStage(db, table)
  return `NOT EXISTS (SELECT 1 FROM ${quote(stageOf(table.name))} s WHERE ${sameKey(table)})`
}

async function markGone(
  db: Statements,
  table: LoadTable,
  {where = 'true', values = []}: Gone,
  now: string,
): Promise<number> {
  const at = parameter(db.dialect, values.length + 1)
  return db.run(
    `UPDATE ${db.table(table.name)} AS t SET deleted_at = ${at}
     WHERE t.deleted_at IS NULL AND (${where}) AND ${await isMissing(db, table)}`,
    ...values,
    now,
  )
}

/** Lines that a record does not have any more. */
async function markLinesGone(db: Statements, lines: LoadTable, records: LoadTable, now: string): Promise<number> {
  const [parent = ''] = lines.key
  const [id = ''] = records.key
  return db.run(
    `UPDATE ${db.table(lines.name)} AS t SET deleted_at = ${parameter(db.dialect, 1)}
     WHERE t.deleted_at IS NULL
     AND t.${quote(parent)} IN (SELECT ${quote(id)} FROM ${quote(stageOf(records.name))}) AND ${await isMissing(db, lines)}`,
    now,
  )
}

async function checkKeys(db: Statements, {name, key}: LoadTable): Promise<void> {
  const columns = key.map(quote).join(', ')
  const [twice] = await db.all(
    `SELECT CAST(${quote(key[0] ?? '')} AS text) AS id FROM ${quote(stageOf(name))} GROUP BY ${columns} HAVING count(*) > 1 LIMIT 1`,
  )
  if (twice) throw keyFailure(name, `two records have the id ${String(twice['id'])}`)
}

/** Throws for a record, known by its key, that has no id or one unfit for its column; another key is in `seen`. */
export function checkKey({name, columns, key: names}: LoadTable, key: string, seen: JsonRecord): void {
  const [id] = names
  if (id !== 'id') {
    checkFields({name, columns, key: names}, seen)
    return
  }
  if (!isIdKey(key)) throw keyFailure(name, 'a record has no id')
  const [, sort, text = ''] = /^(text|number) (.*)$/s.exec(key) ?? []
  const kind = columns.find((column) => column.name === id)?.kind ?? 'json'
  if (fits(kind, sort === 'text' ? text : toNumber(text))) return
  const shown = sort === 'text' ? JSON.stringify(text) : text
  throw keyFailure(name, `the id ${shown} is not ${kind === 'integer' ? 'a whole number of 64 bits' : 'a text'}`)
}

function checkFields({name, columns, key}: LoadTable, seen: JsonRecord): void {
  for (const column of columns.filter((one) => key.includes(one.name))) {
    const value = valueAt(seen, column.path)
    if (value === undefined || value === null) throw keyFailure(name, `a record has no ${column.path.join('.')}`)
    if (!fits(column.kind, value))
      throw keyFailure(name, `${column.path.join('.')} ${printJson(value)} does not fit its column`)
  }
}

function keyFailure(table: string, what: string): CliFailure {
  return new CliFailure(`The mirror cannot keep the rows of ${table} apart: ${what}.`, {
    code: 'KEY_NOT_UNIQUE',
    hints: ['Look at the records with a list command or reports transactions, which keep every row.'],
  })
}
