import {describe, expect, test} from 'vitest'
import {type Field, type Fields, fieldsOf, readIds, readOperation} from '../../../src/contract/index.js'
import {renderSql} from '../../../src/derive/mirror/render-sql.js'
import {allTables, mirrorTables} from '../../../src/derive/mirror/tables.js'

/** Every readable field of a read with its place, however deep. */
function* walk(fields: Fields, from: string, path: readonly string[] = []): Generator<[string, Field]> {
  for (const [name, field] of Object.entries(fields)) {
    const place = [...path, name]
    if (field.kind === 'list') yield* walk(field.fields ?? {}, 'line')
    else if (field.kind === 'object') yield* walk(field.fields ?? {}, from, place)
    else yield [`${from} ${place.join('.')}`, field]
  }
}

const kinds: Readonly<Record<Field['kind'], string>> = {
  ...{integer: 'integer', decimal: 'decimal', boolean: 'boolean', text: 'text', choice: 'text'},
  ...{dateTime: 'Time', object: 'json', list: 'json'},
}

/** Lists with dates whose records are not followed. */
const notMirrored = ['reports.metadata', 'reports.inventory', 'sessions.list', 'sessions.events']

test('every list has a table, those with dates aside that are not followed', () => {
  const mirrored: string[] = mirrorTables.map(({operation}) => operation)

  expect(readIds.filter((id) => !mirrored.includes(id))).toEqual(notMirrored)
})

test('a table is keyed by what names its records', () => {
  const keys = mirrorTables.filter(({key}) => key.join() !== 'id').map(({name, key}) => `${name}: ${key.join(', ')}`)

  expect(keys).toEqual(['transaction_lines: transaction_id, position', 'machine_rights: machine_id, right_id'])
})

describe.each(readIds.filter((id) => !notMirrored.includes(id)))('the tables of %s', (id) => {
  const tables = mirrorTables.filter(({operation}) => operation === id)
  const columns = tables.flatMap((table) => table.columns.filter(({name}) => !table.list || !table.key.includes(name)))

  test('have one column for each field, of its kind', () => {
    const all = [...walk(fieldsOf(readOperation(id).resource, 'read'), 'record')]
    const isLine = ([place]: [string, Field]) => place.startsWith('line ')
    const fields = [...all.filter((field) => !isLine(field)), ...all.filter(isLine)]
    const places = columns.filter(({from}) => from !== 'mirror').map(({from, path}) => `${from} ${path.join('.')}`)

    expect(places).toEqual(fields.map(([place]) => place))
    for (const [index, [place, field]] of fields.entries()) {
      const {kind} = columns.filter(({from}) => from !== 'mirror')[index] ?? {}
      expect(kind, place).toMatch(new RegExp(`${kinds[field.kind]}$`))
      if (field.kind === 'dateTime') expect(kind).toBe(field.clock === 'local' ? 'localTime' : 'utcTime')
    }
  })

  test('refer to tables that are there, and have an index for it', () => {
    for (const {columns, key, indexes} of tables)
      for (const {name, refersTo} of columns) {
        if (refersTo === undefined) continue
        expect(mirrorTables.find((table) => table.name === refersTo)?.key).toEqual(['id'])
        expect([key[0], ...indexes]).toContain(name)
      }
  })
})

test('names are short enough for PostgreSQL, and differ also without regard to case', () => {
  const names = allTables.flatMap(({name, columns, indexes}) => [
    ...columns.map((column) => column.name),
    ...indexes.map((column) => `${name}_${column}`),
    ...columns.filter(({refersTo}) => refersTo).map((column) => `${name}_${column.name}_fkey`),
  ])

  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{0,62}$/)
  for (const {columns} of allTables) expect(new Set(columns.map(({name}) => name)).size).toBe(columns.length)
})

test('times whose name tells the clock are of that clock', () => {
  for (const {name, kind} of mirrorTables.flatMap(({columns}) => columns)) {
    if (/utc|server/.test(name) && kind.endsWith('Time')) expect(kind, name).toBe('utcTime')
    if (/local/.test(name)) expect(kind, name).toBe('localTime')
  }
})

test('every table and column has a comment', () => {
  const sqlite = renderSql('sqlite').join('\n')
  const postgres = renderSql('postgres').join('\n')

  for (const {name, columns} of allTables) {
    expect(sqlite).toMatch(new RegExp(`TABLE IF NOT EXISTS ${name} \\( -- .{20}`))
    expect(postgres).toMatch(new RegExp(`COMMENT ON TABLE ${name} IS '.{20}`))
    for (const column of columns) {
      expect(sqlite).toMatch(new RegExp(`^  ${column.name} .*, -- .{10}`, 'm'))
      expect(postgres).toMatch(new RegExp(`COMMENT ON COLUMN ${name}\\.${column.name} IS '.{10}`))
    }
  }
})
