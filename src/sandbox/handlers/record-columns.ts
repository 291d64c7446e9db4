import {type JsonRecord, type JsonValue, toNumber} from '../../values/json.js'
import {toLocalTime} from '../../values/zones.js'
import {findMoment} from '../request/dates.js'
import {toKey} from '../store/keys.js'
import type {Columns, Store} from '../store/record-store.js'
import {isOwned, type RecordTable} from '../store/store-tables.js'
import {findAlertMachine, toAlertColumns} from './alert-records.js'
import {textOf} from './stock.js'
import {toSiteColumns} from './write-sites.js'

const timeOf = (value: unknown) => findMoment(String(value))?.time ?? 0

const ofMachine = (machineId: JsonValue | undefined, store: Store) => ({
  organization_id: findAlertMachine(store, toKey(machineId))?.['organization_id'] ?? 0,
  machine_id: toKey(machineId),
})

/** Where something happened: at the site that a record names, or where its machine stands. */
function ofPlace(machineId: JsonValue | undefined, siteId: JsonValue | undefined, store: Store) {
  const machine = findAlertMachine(store, toKey(machineId))
  return {
    organization_id: machine?.['organization_id'] ?? 0,
    account_id: machine?.['account_id'] ?? 0,
    site_id: siteId === undefined ? (machine?.['site_id'] ?? 0) : toKey(siteId),
    machine_id: toKey(machineId),
  }
}

type ToColumns = (record: JsonRecord, store: Store) => Columns

const ofNamedOrganization = (table: RecordTable, {organizationId}: JsonRecord): Columns =>
  isOwned(table) ? {organization_id: toKey(organizationId ?? null)} : {}

/** The columns of tables that are searched by more, from the record itself and from the parents that it names. */
const columnsOf: {readonly [Table in RecordTable]?: ToColumns} = {
  organization: ({id, timeZone}) => ({
    organization_id: toKey(id),
    time_zone: typeof timeZone === 'string' ? timeZone : null,
  }),
  site: toSiteColumns,
  machine: ({organizationId, siteId, prose}, {database}) => ({
    organization_id: toKey(organizationId),
    account_id: database.get('SELECT account_id FROM site WHERE id = ?', toKey(siteId))?.['account_id'] ?? 0,
    site_id: toKey(siteId),
    prose: String(prose),
  }),
  custom_data: ({machineId, key}, store) => ({
    organization_id: findAlertMachine(store, toKey(machineId))?.['organization_id'] ?? 0,
    machine_id: toKey(machineId),
    key: String(key),
  }),
  alert_code: ({code, onlyOneExists}) => ({code: String(code), only_one_exists: onlyOneExists === true ? 1 : 0}),
  alert: toAlertColumns,
  batch: ({machineId, siteId, recordedAtUtc}, store) => ({
    ...ofPlace(machineId, siteId, store),
    local_at: toLocalTime(timeOf(recordedAtUtc), String(findAlertMachine(store, toKey(machineId))?.['zone'] ?? 'UTC')),
  }),
  selection: ({machineId, selectionNumber}, store) => ({
    ...ofMachine(machineId, store),
    number: textOf(selectionNumber),
  }),
  template_selection: ({templateId, selectionNumber}, {database}) => ({
    organization_id:
      database.get('SELECT organization_id FROM template WHERE id = ?', toKey(templateId))?.['organization_id'] ?? 0,
    template_id: toKey(templateId),
    number: textOf(selectionNumber),
  }),
  adjustment: ({machineId, siteId, adjustmentOccurredAt}, store) => ({
    ...ofPlace(toNumber(String(machineId)), siteId, store),
    local_at: timeOf(adjustmentOccurredAt),
  }),
  metadata: ({machineId, siteId, recordedAtUtc}, store) => ({
    ...ofPlace(machineId, siteId, store),
    local_at: timeOf(recordedAtUtc),
  }),
  machine_setting: ({machineId, type, isCurrent}, store) => ({
    ...ofMachine(machineId, store),
    type: String(type),
    is_current: isCurrent === true ? 1 : 0,
  }),
  session: ({organizationId, machineId, startedAtUtc}) => ({
    organization_id: toKey(organizationId),
    machine_id: machineId === null ? null : toKey(machineId),
    local_at: timeOf(startedAtUtc),
  }),
  session_event: ({sessionId, loggedAt}, {database}) => {
    const session = database.get('SELECT organization_id, machine_id FROM session WHERE id = ?', toKey(sessionId))
    return {
      organization_id: session?.['organization_id'] ?? 0,
      session_id: toKey(sessionId),
      machine_id: session?.['machine_id'] ?? null,
      local_at: timeOf(loggedAt),
    }
  },
  machine_right: ({machineId, roleId}, store) => ({...ofMachine(machineId, store), role_id: toKey(roleId ?? null)}),
  role_right: ({roleId, rightId}, {database}) => ({
    organization_id:
      database.get('SELECT organization_id FROM role WHERE id = ?', toKey(roleId))?.['organization_id'] ?? 0,
    role_id: toKey(roleId),
    right_id: toKey(rightId),
  }),
}

/**
 * Adds a record as it is, past every rule of the service: a record for tests. Parents must be there before it.
 * A batch is named by its id, such as B1467; records of a kind without an id are numbered.
 */
export function addRecord(store: Store, table: RecordTable, record: JsonRecord): void {
  const {id: named = record['transactionId'] ?? store.nextId(table)} = record
  const id = Number(typeof named === 'string' ? named.slice(1) : toKey(named))
  if (!Number.isSafeInteger(id)) throw new RangeError('A record needs an id.')
  store.insert(table, id, record, columnsOf[table]?.(record, store) ?? ofNamedOrganization(table, record))
}
