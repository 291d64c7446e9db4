import type {FilterKey} from '../contract/index.js'
import {refuse} from './refusal.js'
import type {Caller} from './sessions.js'
import type {Store} from './store/store.js'

/** For each filter that names records: where those lie, and how an asked value names one. */
const named: Partial<Record<FilterKey, {table: string; by: string}>> = {
  organizationIds: {table: 'organization', by: 'record.id = asked.value'},
  accountIds: {table: 'account', by: 'record.id = asked.value'},
  siteIds: {table: 'site', by: 'record.id = asked.value'},
  machineIdentifiers: {
    table: 'machine',
    by: 'record.prose = asked.value OR (record.id = CAST(asked.value AS INTEGER) AND CAST(record.id AS TEXT) = asked.value)',
  },
  alertIds: {table: 'alert', by: 'record.id = asked.value'},
  transactionIdentifiers: {
    table: 'batch',
    by: "record.id = CAST(substr(asked.value, 2) AS INTEGER) AND 'B' || record.id = asked.value",
  },
}

/**
 * Refuses a filter that names records outside the caller's organizations. [seed]
 * A value that names no record at all is only a filter that matches nothing.
 */
export function checkFilterAccess({database}: Store, caller: Caller, key: FilterKey, values: string): void {
  const name = named[key]
  if (!caller.organizations || !name) return
  const foreign = database.all(
    `SELECT DISTINCT asked.value AS value FROM json_each(?) AS asked JOIN ${name.table} AS record ON ${name.by}
     WHERE record.organization_id NOT IN (SELECT value FROM json_each(?))`,
    values,
    JSON.stringify(caller.organizations),
  )
  if (foreign.length === 0) return
  const pointers = foreign.map(({value}) => (typeof value === 'string' ? value : Number(value)))
  throw refuse('DATA_ACCESS', undefined, pointers, key)
}

/** What is said of an element of a set that names a record of another organization. */
export const foreign = 'It names a record outside the organizations of this caller.'

/** Whether the caller may see and change what belongs to an organization. */
export function mayAccess({organizations}: Caller, organizationId: number): boolean {
  return organizations?.includes(organizationId) ?? true
}
