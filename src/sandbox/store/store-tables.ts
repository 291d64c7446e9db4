import {createHash} from 'node:crypto'
import {
  allFieldsOf,
  type Fields,
  type FilterKey,
  fields,
  filterOf,
  findListOf,
  operations,
  type Range,
  type Read,
  type ReadId,
  type Resource,
  readOperation,
  recordKeyOf,
  type WriteId,
} from '../../contract/index.js'
import type {Database, Parameter} from '../../core/sqlite.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {toLocalTime} from '../../values/zones.js'
import {findMoment} from './dates.js'
import {textOf, toKey} from './keys.js'

/** Resources of writes whose rows change records of another one. */
const rowsOfOthers = {
  stockChange: 'selection',
  templateApplication: 'selection',
  provisioning: 'machine',
} as const satisfies Partial<Record<Resource, Resource>>

/** Resources whose records are in a table of another name. */
const tablesOfOthers = {
  transaction: 'batch',
  transactionMetadata: 'metadata',
  inventoryAdjustment: 'adjustment',
  ...rowsOfOthers,
} as const satisfies Partial<Record<Resource, string>>

export type Columns = Record<string, Parameter>

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''

export type RecordTable = {
  [Name in Resource]: Name extends keyof typeof tablesOfOthers ? (typeof tablesOfOthers)[Name] : Snake<Name>
}[Resource]

/** A column that records are searched by, beside their id, and its value for a record and the parents it names. */
type Column = {type: string; of: (record: JsonRecord, parents: Database) => Parameter}

type ColumnsByName = Readonly<Record<string, Column>>

const integer = 'INTEGER NOT NULL'
const number = (field: string): Column => ({type: integer, of: (record) => keyOf(record[field])})
const text = (field: string, type = 'TEXT NOT NULL'): Column => ({type, of: (record) => textOf(record[field])})
const flag = (field: string): Column => ({type: integer, of: (record) => (record[field] === true ? 1 : 0)})
const zone: Column = {type: 'TEXT', of: ({timeZone}) => (typeof timeZone === 'string' ? timeZone : null)}

/** An id, also one that a report writes as text. */
const keyOf = (value: JsonValue | undefined) => toKey(typeof value === 'string' ? Number(value) : value)

/** Columns and indexes besides those of filters and dates. */
const further: {readonly [Name in RecordTable]?: {columns?: ColumnsByName; indexes?: readonly string[]}} = {
  organization: {columns: {time_zone: zone}},
  site: {columns: {name: text('name'), time_zone: zone}, indexes: ['INDEX site_name ON site (account_id, name)']},
  machine: {columns: {prose: text('prose')}, indexes: ['INDEX machine_prose ON machine (prose)']},
  custom_data: {
    columns: {machine_id: number('machineId'), key: text('key')},
    indexes: ['UNIQUE INDEX custom_data_key ON custom_data (machine_id, key)'],
  },
  alert_code: {columns: {code: text('code', 'TEXT NOT NULL UNIQUE'), only_one_exists: flag('onlyOneExists')}},
  alert: {
    columns: {is_cleared: flag('isCleared')},
    indexes: [
      'INDEX alert_time ON alert (local_at, organization_id, site_id, machine_id, code, deleted)',
      'INDEX alert_open ON alert (machine_id, code, is_cleared)',
    ],
  },
  selection: {
    columns: {number: text('selectionNumber')},
    indexes: ['INDEX selection_number ON selection (machine_id, number)'],
  },
  template: {columns: {organization_id: number('organizationId')}},
  template_selection: {
    columns: {number: text('selectionNumber')},
    indexes: ['INDEX template_selection_number ON template_selection (template_id, number)'],
  },
  metadata: {
    columns: {
      organization_id: ofParent('machine', 'organization_id'),
      account_id: ofParent('machine', 'account_id'),
      site_id: number('siteId'),
      machine_id: number('machineId'),
    },
    indexes: ['INDEX metadata_time ON metadata (local_at)'],
  },
  machine_setting: {
    columns: {type: text('type'), is_current: flag('isCurrent')},
    indexes: ['INDEX machine_setting_type ON machine_setting (machine_id, type, is_current)'],
  },
  session: {indexes: ['INDEX session_time ON session (local_at)']},
  session_event: {indexes: ['INDEX session_event_time ON session_event (local_at)']},
  machine_right: {
    columns: {role_id: number('roleId')},
    indexes: ['INDEX machine_right_machine ON machine_right (machine_id)'],
  },
  role_right: {indexes: ['INDEX role_right_pair ON role_right (role_id, right_id)']},
}

/** The columns in which the values of filters are looked for, where the filter does not name the records themselves. */
export const filterColumns: Readonly<Partial<Record<FilterKey, string>>> = {
  organizationIds: 'organization_id',
  accountIds: 'account_id',
  siteIds: 'site_id',
  templateIds: 'template_id',
  sessionIds: 'session_id',
  machineIdentifiers: 'machine_id',
  alertCodes: 'code',
  roleIdentifiers: 'role_id',
  rightIds: 'right_id',
}

/** Resources with child records, the nearest parent first. */
const parents = ['machine', 'site', 'template', 'session', 'role'] as const

/** The columns of a table: those of filters, others that are searched, and the time that date filters compare. */
function toColumns(resource: Resource): ColumnsByName {
  const list = findListOf(resource)
  const {filters = {}, range}: Partial<Read> = list ? readOperation(list) : {}
  const own = allFieldsOf(resource)
  const parent = parents.find((name) => name !== resource && `${name}Id` in own)
  const inherited = parent ? toColumns(parent) : {}

  /** Belongings of a machine go with it: only what happened there stays with the site where the machine was then. */
  const find = (key: FilterKey, name: string): Column | undefined => {
    const isOwner = key === 'organizationIds'
    if (filterOf(key).names === resource && !isOwner) return undefined
    const [field] = filters[key] ?? []
    if (field !== undefined) return ofField(name, field, own[field]?.nullable)
    const column = isOwner || (key in filters && (parent !== 'machine' || range)) ? inherited[name] : undefined
    return column && parent && ofParent(parent, name, column.type)
  }

  const found = Object.entries(filterColumns).flatMap(([key, name]) => {
    const column = find(key as FilterKey, name)
    return column ? [[name, column] as const] : []
  })
  const dates = range && {local_at: toTime(range, own)}
  return {...Object.fromEntries(found), ...further[tableOfResource(resource)]?.columns, ...dates}
}

function ofField(name: string, field: string, nullable = false): Column {
  if (!name.endsWith('_id')) return text(field)
  return nullable ? {type: 'INTEGER', of: ({[field]: id}) => (id === null ? null : keyOf(id))} : number(field)
}

/** A column of the record that a field names; its parent must be there before it. */
function ofParent(parent: (typeof parents)[number], name: string, type = integer): Column {
  const sql = `SELECT ${name} FROM ${parent} WHERE id = ?`
  const otherwise = type === integer ? 0 : null
  return {type, of: ({[`${parent}Id`]: id}, database) => database.get(sql, keyOf(id))?.[name] ?? otherwise}
}

/** A time as the dates of a read are compared: in UTC, or with the clock of the machine that a record names. */
function toTime({on, clock}: Range, own: Fields): Column {
  const timeOf = (value: JsonValue | undefined) => findMoment(String(value))?.time ?? 0
  if (clock === 'utc' || own[on]?.clock === 'local' || !own['machineId'])
    return {type: integer, of: ({[on]: at}) => timeOf(at)}
  return {
    type: integer,
    of: ({[on]: at, machineId}, database) => toLocalTime(timeOf(at), zoneOfMachine(database, keyOf(machineId))),
  }
}

type Table = {
  columns: ColumnsByName
  indexes: readonly string[]
  /** The text before the number, where ids are text. */
  idPrefix: string
}

/** The tables with records of the API. Records of one without `organization_id` belong to everybody. */
const tables = Object.fromEntries(
  (Object.keys(fields) as Resource[])
    .filter((resource) => !(resource in rowsOfOthers))
    .map((resource): [string, Table] => {
      const name = tableOfResource(resource)
      const [id = ''] = recordKeyOf(resource)
      const idPrefix = allFieldsOf(resource)[id]?.kind === 'text' ? 'B' : ''
      return [name, {columns: toColumns(resource), indexes: further[name]?.indexes ?? [], idPrefix}]
    }),
) as Readonly<Record<RecordTable, Table>>

export const recordTables = Object.keys(tables) as RecordTable[]

const otherTables = {
  charge_key: '(id INTEGER PRIMARY KEY, organization_id INTEGER)',
  provisioning: '(day TEXT PRIMARY KEY, uses INTEGER NOT NULL)',
  user: '(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL, access TEXT NOT NULL, organizations TEXT)',
  api_key: '(name TEXT PRIMARY KEY, key TEXT NOT NULL, organizations TEXT)',
  token: '(digest TEXT PRIMARY KEY, user TEXT NOT NULL, key_name TEXT NOT NULL, expires_at INTEGER NOT NULL)',
}

export const allTables: readonly string[] = [...recordTables, ...Object.keys(otherTables)]

/** Each record is JSON text beside the columns that are searched; a deleted record is kept and marked. */
const record = 'id INTEGER PRIMARY KEY, deleted INTEGER NOT NULL DEFAULT 0, json TEXT NOT NULL'

export const tableDefinitions = [
  ...recordTables.flatMap((name) => {
    const {columns, indexes} = tables[name]
    const definitions = Object.entries(columns).map(([column, {type}]) => `${column} ${type}`)
    return [`TABLE ${name} (${[record, ...definitions].join(', ')})`, ...indexes]
  }),
  ...Object.entries(otherTables).map(([name, columns]) => `TABLE ${name} ${columns}`),
]
  .map((definition) => `CREATE ${definition};`)
  .join('\n')

/** Made after the seed world is loaded, which is faster. They cover every filter of their reports. */
export const lateIndexes = `
CREATE INDEX IF NOT EXISTS batch_time ON batch (local_at, organization_id, account_id, site_id, machine_id, deleted);
CREATE INDEX IF NOT EXISTS adjustment_time ON adjustment (local_at, organization_id, account_id, site_id, machine_id, deleted);
`

/** Written into the file, so that no other database is mistaken for one of a sandbox. */
export const applicationId = 0x76_63_74_6c

/** Another number whenever the tables change. */
export const schemaVersion = createHash('sha256').update(tableDefinitions).digest().readUInt32BE() >>> 1

export function tableOf(id: ReadId | WriteId): RecordTable {
  return tableOfResource(operations[id].resource)
}

function tableOfResource(resource: Resource): RecordTable {
  const others: Partial<Record<Resource, RecordTable>> = tablesOfOthers
  return others[resource] ?? (resource.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as RecordTable)
}

/** Values of a record for the columns of its table but those given; parents must be there before it. */
export function columnsOf(table: RecordTable, record: JsonRecord, given: Columns, parents: Database): Columns {
  const others = Object.entries(tables[table].columns).filter(([name]) => given[name] === undefined)
  return {...Object.fromEntries(others.map(([name, {of}]) => [name, of(record, parents)])), ...given}
}

/** The time zone of the site of a machine. */
export function zoneOfMachine(database: Database, id: number | bigint): string {
  const zones = database.get(
    `SELECT coalesce(site.time_zone, organization.time_zone, 'UTC') AS zone FROM machine
     LEFT JOIN site ON site.id = machine.site_id LEFT JOIN organization ON organization.id = machine.organization_id
     WHERE machine.id = ?`,
    id,
  )
  return String(zones?.['zone'] ?? 'UTC')
}

export function hasColumn(table: RecordTable, name: string): boolean {
  return Object.hasOwn(tables[table].columns, name)
}

/** Whether each record belongs to one organization, so that others may neither see nor change it. */
export function isOwned(table: RecordTable): boolean {
  return hasColumn(table, 'organization_id')
}

/** The id of a record as the API writes it. */
export function toRecordId(table: RecordTable, id: number): number | string {
  const {idPrefix} = tables[table]
  return idPrefix === '' ? id : `${idPrefix}${id}`
}
