import {createHash} from 'node:crypto'
import {fields, operations, type ReadId, type Resource, type WriteId} from '../../contract/index.js'

/** Resources whose records lie in a table of another name; any other has a table of its own. */
const tablesOfOthers = {
  transaction: 'batch',
  transactionMetadata: 'metadata',
  inventoryAdjustment: 'adjustment',
  stockChange: 'selection',
  templateApplication: 'selection',
  provisioning: 'machine',
} as const satisfies Partial<Record<Resource, string>>

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''

export type RecordTable = {
  [Name in Resource]: Name extends keyof typeof tablesOfOthers ? (typeof tablesOfOthers)[Name] : Snake<Name>
}[Resource]

type Table = {
  /** The columns that the table is searched by, beside its id. */
  columns: Readonly<Record<string, string>>
  indexes: readonly string[]
  /** The text before the number, where ids are text. */
  idPrefix?: string
}

const owner = {organization_id: 'INTEGER NOT NULL'}

/** What happened at a machine, and where it stood then. */
const booked = {
  ...owner,
  account_id: 'INTEGER NOT NULL',
  site_id: 'INTEGER NOT NULL',
  machine_id: 'INTEGER NOT NULL',
  local_at: 'INTEGER NOT NULL',
}

/** Tables that are searched by more than the organization that a field names. */
const searched: {readonly [Name in RecordTable]?: Table} = {
  organization: {columns: {...owner, time_zone: 'TEXT'}, indexes: []},
  site: {
    columns: {...owner, account_id: 'INTEGER NOT NULL', name: 'TEXT NOT NULL', time_zone: 'TEXT'},
    indexes: ['INDEX site_name ON site (account_id, name)'],
  },
  machine: {
    columns: {...owner, account_id: 'INTEGER NOT NULL', site_id: 'INTEGER NOT NULL', prose: 'TEXT NOT NULL'},
    indexes: ['INDEX machine_prose ON machine (prose)'],
  },
  custom_data: {
    columns: {...owner, machine_id: 'INTEGER NOT NULL', key: 'TEXT NOT NULL'},
    indexes: ['UNIQUE INDEX custom_data_key ON custom_data (machine_id, key)'],
  },
  alert_code: {columns: {code: 'TEXT NOT NULL UNIQUE', only_one_exists: 'INTEGER NOT NULL'}, indexes: []},
  alert: {
    columns: {
      ...owner,
      site_id: 'INTEGER',
      machine_id: 'INTEGER NOT NULL',
      code: 'TEXT NOT NULL',
      is_cleared: 'INTEGER NOT NULL',
      local_at: 'INTEGER NOT NULL',
    },
    indexes: [
      'INDEX alert_time ON alert (local_at, organization_id, site_id, machine_id, code, deleted)',
      'INDEX alert_open ON alert (machine_id, code, is_cleared)',
    ],
  },
  batch: {
    columns: booked,
    indexes: [],
    idPrefix: 'B',
  },
  selection: {
    columns: {...owner, machine_id: 'INTEGER NOT NULL', number: 'TEXT NOT NULL'},
    indexes: ['INDEX selection_number ON selection (machine_id, number)'],
  },
  template: {columns: owner, indexes: []},
  template_selection: {
    columns: {...owner, template_id: 'INTEGER NOT NULL', number: 'TEXT NOT NULL'},
    indexes: ['INDEX template_selection_number ON template_selection (template_id, number)'],
  },
  adjustment: {
    columns: booked,
    indexes: [],
    idPrefix: 'B',
  },
  metadata: {
    columns: booked,
    indexes: ['INDEX metadata_time ON metadata (local_at)'],
    idPrefix: 'B',
  },
  machine_setting: {
    columns: {...owner, machine_id: 'INTEGER NOT NULL', type: 'TEXT NOT NULL', is_current: 'INTEGER NOT NULL'},
    indexes: ['INDEX machine_setting_type ON machine_setting (machine_id, type, is_current)'],
  },
  session: {
    columns: {...owner, machine_id: 'INTEGER', local_at: 'INTEGER NOT NULL'},
    indexes: ['INDEX session_time ON session (local_at)'],
  },
  session_event: {
    columns: {...owner, session_id: 'INTEGER NOT NULL', machine_id: 'INTEGER', local_at: 'INTEGER NOT NULL'},
    indexes: ['INDEX session_event_time ON session_event (local_at)'],
  },
  role: {columns: owner, indexes: []},
  machine_right: {
    columns: {...owner, machine_id: 'INTEGER NOT NULL', role_id: 'INTEGER NOT NULL'},
    indexes: ['INDEX machine_right_machine ON machine_right (machine_id)'],
  },
  role_right: {
    columns: {...owner, role_id: 'INTEGER NOT NULL', right_id: 'INTEGER NOT NULL'},
    indexes: ['INDEX role_right_pair ON role_right (role_id, right_id)'],
  },
}

/** The tables that hold records of the API. Records of one without `organization_id` belong to everybody. */
const tables = Object.fromEntries(
  (Object.keys(fields) as Resource[]).map((resource): [string, Table] => {
    const name = tableOfResource(resource)
    const columns = Object.hasOwn(fields[resource], 'organizationId') ? owner : {}
    return [name, searched[name] ?? {columns, indexes: []}]
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
    const columns = Object.entries(tables[name].columns).map(([column, type]) => `${column} ${type}`)
    return [`TABLE ${name} (${[record, ...columns].join(', ')})`, ...tables[name].indexes]
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

/** Whether each record belongs to one organization, so that others may neither see nor change it. */
export function isOwned(table: RecordTable): boolean {
  return Object.hasOwn(tables[table].columns, 'organization_id')
}

/** The id of a record as the API writes it. */
export function toRecordId(table: RecordTable, id: number): number | string {
  const {idPrefix} = tables[table]
  return idPrefix === undefined ? id : `${idPrefix}${id}`
}
