import {
  alertList,
  type Field,
  type Fields,
  fieldsOf,
  findListOf,
  type ReadId,
  readIds,
  readOperation,
  recordKeyOf,
  transactionReport,
} from '../../contract/index.js'
import type {MirrorColumn, MirrorKind, MirrorTable, SqlTable} from './column-types.js'

/** The version of tables and views; it grows with every change of them. */
export const mirrorVersion = 2

const kinds: Readonly<Record<Exclude<Field['kind'], 'dateTime'>, MirrorKind>> = {
  integer: 'integer',
  decimal: 'decimal',
  text: 'text',
  choice: 'text',
  boolean: 'boolean',
  object: 'json',
  list: 'json',
}

/**
 * The tables of what the service returns, in the order of the contract; lines follow their records. Of lists with dates
 * only alerts and transactions have one: to follow the others takes a request for each range, every time.
 */
export const mirrorTables: readonly MirrorTable[] = readIds.filter(isMirrored).flatMap(toTables)

function isMirrored(operation: ReadId): boolean {
  return readOperation(operation).range === undefined || operation === alertList || operation === transactionReport
}

/** Facts of the mirror about itself, by which it is recognized. */
const state: SqlTable = {
  name: 'vendorctl_mirror',
  columns: [
    toOwn('name', 'text', 'What is known, such as schema: the version of these tables.'),
    toOwn('value', 'text', 'Its value.'),
  ],
  key: ['name'],
  indexes: [],
  about: 'What vendorctl knows of this mirror. Do not change it.',
}

const timeZones: SqlTable = {
  name: 'time_zones',
  columns: [
    toOwn('name', 'text', 'Time zone as records name it, such as Pacific Standard Time.'),
    toOwn('iana', 'text', 'The same zone as databases name it, such as America/Los_Angeles; null for an unknown one.'),
  ],
  key: ['name'],
  indexes: [],
  about: 'The time zones that sites and organizations name.',
}

export const allTables: readonly SqlTable[] = [state, timeZones, ...mirrorTables]

/** A name of the contract as SQL spells it: `lastCashSale` is last_cash_sale. */
function toSnake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function tableNameOf(resource: string): string {
  return `${toSnake(resource)}s`
}

function toTables(operation: ReadId): MirrorTable[] {
  const {resource, range, command} = readOperation(operation)
  const fields = Object.entries(fieldsOf(resource, 'read'))
  const lists = fields.filter(([, field]) => field.kind === 'list' && field.fields)
  const columns = toColumns(Object.fromEntries(fields.filter((field) => !lists.includes(field))), 'record')
  const dates = columns.filter(({path}) => path.join('.') === range?.on)
  const about = `What vendorctl ${command} returns, one row for each record.`
  const key = recordKeyOf(resource).map(toSnake)
  const records = {operation, ...toTable(tableNameOf(resource), columns, key, dates), about}
  return [records, ...lists.map(([list, field]) => ({operation, list, ...toLines(resource, list, field)}))]
}

/** Lines are known by their place: nothing says that the ids of lines are unique. */
function toLines(resource: string, list: string, {fields = {}, about}: Field): SqlTable {
  const parent = `${toSnake(resource)}_id`
  const columns = toColumns(fields, 'line')
  const refersTo = tableNameOf(resource)
  const key: MirrorColumn[] = [
    {name: parent, kind: 'text', from: 'record', path: ['id'], refersTo, about: `Record of ${refersTo} that it is in.`},
    toOwn('position', 'integer', `Place in ${list}, from 1.`),
  ]
  const dates = columns.filter(({kind}) => kind === 'localTime')
  const table = toTable(`${toSnake(resource)}_lines`, [...key, ...columns], [parent, 'position'], dates)
  return {...table, about: `${about} One row for each element of ${list}.`}
}

function toTable(
  name: string,
  columns: readonly MirrorColumn[],
  key: readonly string[],
  dates: readonly MirrorColumn[],
): Omit<SqlTable, 'about'> {
  const references = columns.filter((column) => column.refersTo !== undefined && column.name !== key[0])
  const own = [
    toOwn('extra', 'json', 'Fields without a column and values that do not fit their column, as a JSON object.'),
    toOwn('deleted_at', 'utcTime', 'When the service was found not to return the row any more.'),
  ]
  return {name, columns: [...columns, ...own], key, indexes: [...references, ...dates].map((column) => column.name)}
}

function toColumns(
  fields: Fields,
  from: 'record' | 'line',
  parents: readonly string[] = [],
  before = '',
): MirrorColumn[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...parents, name]
    const about = before + field.about
    if (field.kind === 'object' && field.fields)
      return toColumns(field.fields, from, path, `${about.replace(/\.$/, '')}: `)
    const {refersTo} = field
    const list = refersTo === undefined ? undefined : findListOf(refersTo)
    const table = refersTo !== undefined && list && isMirrored(list) ? {refersTo: tableNameOf(refersTo)} : {}
    return [{name: path.map(toSnake).join('_'), kind: kindOf(field), from, path, ...table, about}]
  })
}

function kindOf({kind, clock}: Field): MirrorKind {
  if (kind !== 'dateTime') return kinds[kind]
  return clock === 'local' ? 'localTime' : 'utcTime'
}

function toOwn(name: string, kind: MirrorKind, about: string): MirrorColumn {
  return {name, kind, from: 'mirror', path: [], about}
}
