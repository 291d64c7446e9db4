import {type FilterKey, findReadOf, type RefusalCode} from '../../contract/index.js'
import type {Caller} from '../request/logins.js'
import {refuse} from '../request/refusal.js'
import type {Store} from '../store/record-store.js'
import {isOwned, tableOf} from '../store/store-tables.js'
import {conditionOf} from './read-conditions.js'

/**
 * Refuses a filter that names records outside the caller's organizations. [seed] They are found by the same condition
 * as in the read of those records. A value that names no record at all is only a filter that matches nothing.
 */
export function checkFilterAccess(
  {database}: Store,
  caller: Caller,
  key: FilterKey,
  values: string,
  code: RefusalCode = 'DATA_ACCESS',
): void {
  const read = findReadOf(key)
  const table = read && tableOf(read)
  if (!caller.organizations || !table || !isOwned(table)) return
  const named = conditionOf(read, key).replace('?', 'json_array(given.value)')
  const foreign = database.all(
    `SELECT DISTINCT given.value AS value FROM json_each(?) AS given WHERE EXISTS (
      SELECT 1 FROM ${table} WHERE ${named} AND organization_id NOT IN (SELECT value FROM json_each(?)))`,
    values,
    JSON.stringify(caller.organizations),
  )
  if (foreign.length === 0) return
  const pointers = foreign.map(({value}) => (typeof value === 'string' ? value : Number(value)))
  throw refuse(code, undefined, pointers, key)
}

/** The message about an element of a set that names a record of another organization. */
export const foreign = 'It names a record outside the organizations of this caller.'

/** Whether the caller may see and change what belongs to an organization. */
export function mayAccess({organizations}: Caller, organizationId: number): boolean {
  return organizations?.includes(organizationId) ?? true
}
