import type {JsonRecord} from '../../values/json.js'
import {toLocalTime} from '../../values/zones.js'
import {findMoment} from '../dates.js'
import {findAlertMachine, toAlertColumns} from '../handlers/alert-records.js'
import {toSiteColumns} from '../handlers/sites.js'
import {toKey} from '../keys.js'
import type {Columns, Store} from './store.js'
import type {RecordTable} from './store-tables.js'

type ToColumns = (record: JsonRecord, store: Store) => Columns

/** The columns of each table, from the record itself and from the parents that it names. */
const columnsOf: {readonly [Table in RecordTable]: ToColumns} = {
  organization: ({id, timeZone}) => ({
    organization_id: toKey(id),
    time_zone: typeof timeZone === 'string' ? timeZone : null,
  }),
  account: ({organizationId}) => ({organization_id: toKey(organizationId)}),
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
  batch: ({machineId, siteId, recordedAtUtc}, store) => {
    const machine = findAlertMachine(store, toKey(machineId))
    return {
      organization_id: machine?.['organization_id'] ?? 0,
      account_id: machine?.['account_id'] ?? 0,
      site_id: toKey(siteId),
      machine_id: toKey(machineId),
      local_at: toLocalTime(findMoment(String(recordedAtUtc))?.time ?? 0, String(machine?.['zone'] ?? 'UTC')),
    }
  },
}

/**
 * Adds a record as it is, past every rule of the service: a record for tests. Parents must be there before it.
 * A batch is named by its id, such as B1467.
 */
export function addRecord(store: Store, table: RecordTable, record: JsonRecord): void {
  const id = Number(typeof record['id'] === 'string' ? record['id'].slice(1) : toKey(record['id']))
  if (!Number.isSafeInteger(id)) throw new RangeError('A record needs an id.')
  store.insert(table, id, record, columnsOf[table](record, store))
}
