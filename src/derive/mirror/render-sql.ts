import type {Dialect, MirrorColumn, MirrorKind, SqlTable} from './column-types.js'
import {allTables, mirrorVersion} from './tables.js'
import {mirrorViews} from './views.js'

/** Tables of SQLite are strict; ANY keeps a number that is exactly a double as one, and others as text. */
const types: Readonly<Record<Dialect, Readonly<Record<MirrorKind, string>>>> = {
  sqlite: {
    integer: 'INTEGER',
    decimal: 'ANY',
    text: 'TEXT',
    boolean: 'INTEGER',
    utcTime: 'TEXT',
    localTime: 'TEXT',
    json: 'TEXT',
  },
  postgres: {
    integer: 'bigint',
    decimal: 'numeric',
    text: 'text',
    boolean: 'boolean',
    utcTime: 'timestamp with time zone',
    localTime: 'timestamp without time zone',
    json: 'json',
  },
}

const localTime = "The time zone is that of the machine's site, else of its organization."
const notes: Readonly<Record<Dialect, Partial<Record<MirrorKind, string>>>> = {
  sqlite: {decimal: 'A number, or text where that has more digits than a double.', utcTime: 'UTC.', localTime},
  postgres: {utcTime: 'UTC.', localTime},
}

/**
 * The statements that make a mirror, without semicolons; run again, they change nothing. In SQLite a connection that
 * fills it must have `foreign_keys` off, which Node turns on.
 */
export function renderSql(dialect: Dialect): string[] {
  return [...renderTables(dialect), ...renderIndexes(), ...renderViews(dialect), ...renderVersion()]
}

export type ToTable = (name: string) => string

/** All tables, with their comments. */
export function renderTables(dialect: Dialect, tables: readonly SqlTable[] = allTables): string[] {
  if (dialect === 'sqlite') return tables.map(toSqliteTable)
  return [...tables.flatMap(toPostgresTable), ...tables.flatMap(toForeignKeys)]
}

/** The indexes of all tables, apart from these: to make them costs less when the rows are there before. */
export function renderIndexes(table: ToTable = (name) => name): string[] {
  return allTables.flatMap(({name, indexes}) =>
    indexes.map((column) => `CREATE INDEX IF NOT EXISTS ${name}_${column} ON ${table(name)} (${column})`),
  )
}

export function renderViews(dialect: Dialect): string[] {
  return mirrorViews(dialect).flatMap(({name, about, select}) =>
    dialect === 'sqlite'
      ? [`DROP VIEW IF EXISTS ${name}`, `CREATE VIEW ${name} AS -- ${about}\n${select}`]
      : [`CREATE OR REPLACE VIEW ${name} AS\n${select}`, `COMMENT ON VIEW ${name} IS ${quote(about)}`],
  )
}

/** The statement that records the version of the tables, for later programs. */
export function renderVersion(): string[] {
  const row = `INSERT INTO vendorctl_mirror (name, value) VALUES ('schema', '${mirrorVersion}')`
  return [`${row} ON CONFLICT (name) DO UPDATE SET value = excluded.value`]
}

/** The statements that add a column to a table that is there. */
export function renderColumn(dialect: Dialect, table: string, column: MirrorColumn): string[] {
  const added = `ALTER TABLE ${table} ADD COLUMN ${column.name} ${typeOf(dialect, column)}`
  return dialect === 'sqlite' ? [`${added} /* ${commentOf(dialect, column)} */`] : [added, toComment(table, column)]
}

export function typeOf(dialect: Dialect, {kind}: MirrorColumn): string {
  return types[dialect][kind]
}

/** Description of a column, for those who read the tables. */
function commentOf(dialect: Dialect, {kind, about, from, path, refersTo}: MirrorColumn): string {
  const note = about.endsWith(' UTC.') ? '' : (notes[dialect][kind] ?? '')
  const source = from === 'mirror' ? '' : `Field ${path.join('.')}${from === 'record' ? '' : ' of the line'}.`
  const parent = refersTo ? `An id of ${refersTo}, where a row may be missing.` : ''
  return [about, note, parent, source].filter((part) => part !== '').join(' ')
}

/** SQLite keeps the text of the statement, and so the comments in it. */
function toSqliteTable({name, columns, key, about}: SqlTable): string {
  const references = columns.filter(({refersTo}) => refersTo !== undefined)
  const lines = columns.map((column) => {
    const required = key.includes(column.name) ? ' NOT NULL' : ''
    return `  ${column.name} ${typeOf('sqlite', column)}${required}, -- ${commentOf('sqlite', column)}`
  })
  const ends = [
    `  PRIMARY KEY (${key.join(', ')})`,
    ...references.map((column) => `  FOREIGN KEY (${column.name}) REFERENCES ${column.refersTo} (id)`),
  ]
  const shape =
    columns.find((column) => column.name === key[0])?.kind === 'integer' ? 'STRICT' : 'STRICT, WITHOUT ROWID'
  return `CREATE TABLE IF NOT EXISTS ${name} ( -- ${about}\n${lines.join('\n')}\n${ends.join(',\n')}\n) ${shape}`
}

function toPostgresTable({name, columns, key, about}: SqlTable): string[] {
  const lines = columns.map((column) => {
    const required = key.includes(column.name) ? ' NOT NULL' : ''
    return `  ${column.name} ${typeOf('postgres', column)}${required}`
  })
  const table = `CREATE TABLE IF NOT EXISTS ${name} (\n${lines.join(',\n')},\n  PRIMARY KEY (${key.join(', ')})\n)`
  const comment = `COMMENT ON TABLE ${name} IS ${quote(about)}`
  return [table, comment, ...columns.map((column) => toComment(name, column))]
}

/** Foreign keys that nothing enforces, for people and tools that draw tables; PostgreSQL has them from 18 on. */
function toForeignKeys({name, columns}: SqlTable): string[] {
  const added = columns.flatMap((column) => {
    if (column.refersTo === undefined) return []
    const constraint = `${name}_${column.name}_fkey`
    const definition = `FOREIGN KEY (${column.name}) REFERENCES ${column.refersTo} (id) NOT ENFORCED`
    return `  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = '${name}'::regclass AND conname = '${constraint}') THEN
    EXECUTE 'ALTER TABLE ${name} ADD CONSTRAINT ${constraint} ${definition}';
  END IF;`
  })
  if (added.length === 0) return []
  return [
    `DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN\n${added.join('\n')}\nEND IF; END $$`,
  ]
}

function toComment(table: string, column: MirrorColumn): string {
  return `COMMENT ON COLUMN ${table}.${column.name} IS ${quote(commentOf('postgres', column))}`
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
