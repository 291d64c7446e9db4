import type {Dialect, SqlTable} from './column-types.js'
import {renderColumn, renderIndexes, renderSql, renderTables, renderVersion, renderViews, typeOf} from './render-sql.js'
import {allTables, mirrorVersion} from './tables.js'
import {mirrorViews} from './views.js'

/** A column of a table, view or whatever else takes a name from them, as `findingQuery` finds it. */
export type FoundColumn = {
  readonly relation: string
  readonly kind: string
  readonly name: string
  readonly type: string
}

export type MirrorPlan =
  /** No table of it is there. */
  | {readonly kind: 'new'; readonly statements: readonly string[]}
  /** `widened` tables have columns that are empty in all rows until these are read again. */
  | {readonly kind: 'ours'; readonly statements: readonly string[]; readonly widened: readonly string[]}
  /** A later program made it; this one could only damage it. */
  | {readonly kind: 'newer'; readonly version: string}
  /** A table or view has a name of the mirror and is not part of one. */
  | {readonly kind: 'foreign'; readonly name: string; readonly why: string}

/** The query for all tables, views and indexes that there are; its columns are those of `FoundColumn`. */
export function findingQuery(dialect: Dialect, schema = 'current_schema()'): string {
  if (dialect === 'sqlite') {
    return `SELECT lower(m.name) AS relation, m.type AS kind, lower(c.name) AS name, c.type AS type
FROM sqlite_master m LEFT JOIN pragma_table_info(m.name) c WHERE m.type IN ('table', 'view', 'index')`
  }
  return `SELECT c.relname AS relation, CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'table'
    WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' WHEN 'S' THEN 'sequence'
    WHEN 'c' THEN 'type' ELSE 'index' END AS kind,
  a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
WHERE n.nspname = ${schema} AND a.attnum > 0 AND NOT a.attisdropped`
}

export function isMirror(found: readonly FoundColumn[]): boolean {
  const names = found.filter(({relation}) => relation === 'vendorctl_mirror').map(({name}) => name)
  return names.includes('name') && names.includes('value')
}

/** Steps until the database has all tables and views of this program. `version` is its `schema`. */
export function planMirror(dialect: Dialect, found: readonly FoundColumn[], version?: string | null): MirrorPlan {
  const wanted = [...allTables, ...mirrorViews(dialect)].map(({name}) => name)
  if (!isMirror(found)) {
    const [foreign] = found.filter(({relation}) => wanted.includes(relation))
    if (!foreign) return {kind: 'new', statements: renderSql(dialect)}
    return {kind: 'foreign', name: foreign.relation, why: `the ${foreign.kind} was not made by vendorctl`}
  }

  if (!/^[1-9]\d{0,8}$/.test(version ?? ''))
    return {kind: 'foreign', name: 'vendorctl_mirror', why: 'it says no version that is known'}
  if (Number(version) > mirrorVersion) return {kind: 'newer', version: String(version)}
  return findOther(dialect, found) ?? complete(dialect, found, Number(version))
}

function findOther(dialect: Dialect, found: readonly FoundColumn[]): MirrorPlan | undefined {
  const tables = new Map(allTables.map((table) => [table.name, table]))
  const views = mirrorViews(dialect).map(({name}) => name)
  for (const {relation, kind, name, type} of found) {
    const table = tables.get(relation)
    const wanted = table ? 'table' : views.includes(relation) ? 'view' : kind
    if (kind !== wanted) return {kind: 'foreign', name: relation, why: `it is of the kind ${kind}, not ${wanted}`}
    const column = table?.columns.find((one) => one.name === name)
    if (!column || typeOf(dialect, column) === type) continue
    const why = `its column ${name} is ${type || 'of no type'} and not ${typeOf(dialect, column)}`
    return {kind: 'foreign', name: relation, why}
  }

  return undefined
}

function complete(dialect: Dialect, found: readonly FoundColumn[], version: number): MirrorPlan {
  const there = Map.groupBy(found, ({relation}) => relation)
  const missing = ({name, columns}: SqlTable) => {
    const names = there.get(name)?.map((column) => column.name)
    return names ? columns.filter((column) => !names.includes(column.name)) : []
  }
  const absent = allTables.filter(({name}) => !there.has(name))
  const widened = allTables.filter((table) => missing(table).length > 0)
  const hasViews = mirrorViews(dialect).every(({name}) => there.has(name))
  if (version === mirrorVersion && absent.length === 0 && widened.length === 0 && hasViews)
    return {kind: 'ours', statements: [], widened: []}

  const added = widened.flatMap((table) => missing(table).flatMap((one) => renderColumn(dialect, table.name, one)))
  const rest = [...renderIndexes(), ...renderViews(dialect), ...renderVersion()]
  const statements = [...added, ...renderTables(dialect), ...rest]
  return {kind: 'ours', statements, widened: widened.map(({name}) => name)}
}
