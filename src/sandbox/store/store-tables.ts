import {createHash} from 'node:crypto'
import {fields, operations, type ReadId, type Resource, type WriteId} from '../../contract/index.js'
import type {Database, Parameter} from '../../core/sqlite.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {toLocalTime} from '../../values/zones.js'
import {findMoment} from './dates.js'
import {textOf, toKey} from './keys.js'

/** Resources whose records lie in a table of another name; any other has a table of its own. */
const tablesOfOthers = {
  transaction: 'batch',
  transactionMetadata: 'metadata',
  inventoryAdjustment: 'adjustment',
  stockChange: 'selection',
  templateApplication: 'selection',
  provisioning: 'machine',
} as const satisfies Partial<Record<Resource, string>>

export type Columns = Record<string, Parameter>

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''

export type RecordTable = {
  [Name in Resource]: Name extends keyof typeof tablesOfOthers ? (typeof tablesOfOthers)[Name] : Snake<Name>
}[Resource]

/** A column that records are searched by, beside their id, and what it holds of a record and of the parents it names. */
type Column = {type: string; of: (record: JsonRecord, parents: Database) => Parameter}

type Table = {
  columns: Readonly<Record<string, Column>>
  indexes?: readonly string[]
  /** The text before the number, where ids are text. */
  idPrefix?: string
}

const integer = 'INTEGER NOT NULL'
const number = (field: string): Column => ({type: integer, of: (record) => keyOf(record[field])})
const text = (field: string, type = 'TEXT NOT NULL'): Column => ({type, of: (record) => textOf(record[field])})
const flag = (field: string): Column => ({type: integer, of: (record) => (record[field] === true ? 1 : 0)})
const time = (field: string): Column => ({type: integer, of: (record) => timeOf(record[field])})
const numberOrNull = (field: string): Column => ({
  type: 'INTEGER',
  of: (record) => (record[field] === null ? null : keyOf(record[field])),
})
/** What the parent that a field names has in a column of its own. */
const ofParent = (table: string, field: string, column: string, otherwise: 0 | null = 0): Column => ({
  type: otherwise === null ? 'INTEGER' : integer,
  of: (record, parents) => findColumn(parents, table, keyOf(record[field]), column) ?? otherwise,
})

/** An id, also one that a report writes as text. */
const keyOf = (value: JsonValue | undefined) => toKey(typeof value === 'string' ? Number(value) : value)

const timeOf = (value: JsonValue | undefined) => findMoment(String(value))?.time ?? 0

function findColumn(database: Database, table: string, id: number | bigint, column: string) {
  return database.get(`SELECT ${column} FROM ${table} WHERE id = ?`, id)?.[column]
}

const zone: Column = {type: 'TEXT', of: ({timeZone}) => (typeof timeZone === 'string' ? timeZone : null)}
const owner = {organization_id: number('organizationId')}
const ofMachine = {
  organization_id: ofParent('machine', 'machineId', 'organization_id'),
  machine_id: number('machineId'),
}

/** What happened at a machine, and where it stood then: at the site that a record names, or where its machine stands. */
const booked = (local_at: Column) => ({
  organization_id: ofMachine.organization_id,
  account_id: ofParent('machine', 'machineId', 'account_id'),
  site_id: {
    type: integer,
    of: (record: JsonRecord, parents: Database) =>
      record['siteId'] === undefined
        ? (findColumn(parents, 'machine', keyOf(record['machineId']), 'site_id') ?? 0)
        : keyOf(record['siteId']),
  },
  machine_id: ofMachine.machine_id,
  local_at,
})

/** Tables that are searched by more than the organization that a field names. */
const searched: {readonly [Name in RecordTable]?: Table} = {
  organization: {columns: {organization_id: number('id'), time_zone: zone}},
  site: {
    columns: {
      organization_id: number('orgId'),
      account_id: number('accountId'),
      name: text('name'),
      time_zone: zone,
    },
    indexes: ['INDEX site_name ON site (account_id, name)'],
  },
  machine: {
    columns: {
      ...owner,
      account_id: ofParent('site', 'siteId', 'account_id'),
      site_id: number('siteId'),
      prose: text('prose'),
    },
    indexes: ['INDEX machine_prose ON machine (prose)'],
  },
  custom_data: {
    columns: {...ofMachine, key: text('key')},
    indexes: ['UNIQUE INDEX custom_data_key ON custom_data (machine_id, key)'],
  },
  alert_code: {columns: {code: text('code', 'TEXT NOT NULL UNIQUE'), only_one_exists: flag('onlyOneExists')}},
  alert: {
    columns: {
      ...owner,
      site_id: numberOrNull('siteId'),
      machine_id: number('machineId'),
      code: text('code'),
      is_cleared: flag('isCleared'),
      local_at: time('raisedAt'),
    },
    indexes: [
      'INDEX alert_time ON alert (local_at, organization_id, site_id, machine_id, code, deleted)',
      'INDEX alert_open ON alert (machine_id, code, is_cleared)',
    ],
  },
  batch: {
    columns: booked({
      type: integer,
      of: ({machineId, recordedAtUtc}, parents) =>
        toLocalTime(timeOf(recordedAtUtc), zoneOfMachine(parents, toKey(machineId))),
    }),
    idPrefix: 'B',
  },
  selection: {
    columns: {...ofMachine, number: text('selectionNumber')},
    indexes: ['INDEX selection_number ON selection (machine_id, number)'],
  },
  template: {columns: owner},
  template_selection: {
    columns: {
      organization_id: ofParent('template', 'templateId', 'organization_id'),
      template_id: number('templateId'),
      number: text('selectionNumber'),
    },
    indexes: ['INDEX template_selection_number ON template_selection (template_id, number)'],
  },
  adjustment: {columns: booked(time('adjustmentOccurredAt')), idPrefix: 'B'},
  metadata: {
    columns: booked(time('recordedAtUtc')),
    indexes: ['INDEX metadata_time ON metadata (local_at)'],
    idPrefix: 'B',
  },
  machine_setting: {
    columns: {...ofMachine, type: text('type'), is_current: flag('isCurrent')},
    indexes: ['INDEX machine_setting_type ON machine_setting (machine_id, type, is_current)'],
  },
  session: {
    columns: {...owner, machine_id: numberOrNull('machineId'), local_at: time('startedAtUtc')},
    indexes: ['INDEX session_time ON session (local_at)'],
  },
  session_event: {
    columns: {
      organization_id: ofParent('session', 'sessionId', 'organization_id'),
      session_id: number('sessionId'),
      machine_id: ofParent('session', 'sessionId', 'machine_id', null),
      local_at: time('loggedAt'),
    },
    indexes: ['INDEX session_event_time ON session_event (local_at)'],
  },
  role: {columns: owner},
  machine_right: {
    columns: {...ofMachine, role_id: number('roleId')},
    indexes: ['INDEX machine_right_machine ON machine_right (machine_id)'],
  },
  role_right: {
    columns: {
      organization_id: ofParent('role', 'roleId', 'organization_id'),
      role_id: number('roleId'),
      right_id: number('rightId'),
    },
    indexes: ['INDEX role_right_pair ON role_right (role_id, right_id)'],
  },
}

/** The tables that hold records of the API. Records of one without `organization_id` belong to everybody. */
const tables = Object.fromEntries(
  (Object.keys(fields) as Resource[]).map((resource): [string, Table] => {
    const name = tableOfResource(resource)
    const columns = Object.hasOwn(fields[resource], 'organizationId') ? owner : {}
    return [name, searched[name] ?? {columns}]
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
    const {columns, indexes = []} = tables[name]
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

/** The table of the records that an operation reads or writes. */
export function tableOf(id: ReadId | WriteId): RecordTable {
  return tableOfResource(operations[id].resource)
}

function tableOfResource(resource: Resource): RecordTable {
  const others: Partial<Record<Resource, RecordTable>> = tablesOfOthers
  return others[resource] ?? (resource.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as RecordTable)
}

/** What a record has in the columns of its table, those that are given aside; parents must be there before it. */
export function columnsOf(table: RecordTable, record: JsonRecord, given: Columns, parents: Database): Columns {
  const others = Object.entries(tables[table].columns).filter(([name]) => given[name] === undefined)
  return {...Object.fromEntries(others.map(([name, {of}]) => [name, of(record, parents)])), ...given}
}

/** The time zone of the place where a machine stands. */
export function zoneOfMachine(database: Database, id: number | bigint): string {
  const zones = database.get(
    `SELECT coalesce(site.time_zone, organization.time_zone, 'UTC') AS zone FROM machine
     LEFT JOIN site ON site.id = machine.site_id LEFT JOIN organization ON organization.id = machine.organization_id
     WHERE machine.id = ?`,
    id,
  )
  return String(zones?.['zone'] ?? 'UTC')
}

/** Whether each record belongs to one organization, so that others may neither see nor change it. */
export function isOwned(table: RecordTable): boolean {
  return Object.hasOwn(tables[table].columns, 'organization_id')
}

/** The id of a record as the API writes it. */
export function toRecordId(table: RecordTable, id: number): number | string {
  const {idPrefix} = tables[table]
  return idPrefix === undefined ? id : `${idPrefix}${id}`
}
