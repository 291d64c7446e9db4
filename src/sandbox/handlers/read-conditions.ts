import {
  type FilterKey,
  filterOf,
  findReadOf,
  type ReadId,
  type RefusalCode,
  readOperation,
} from '../../contract/index.js'
import type {Caller} from '../request/logins.js'
import {refuse} from '../request/refused.js'
import type {Store} from '../store/record-store.js'
import {filterColumns, hasColumn, isOwned, tableOf} from '../store/store-tables.js'

const inside = (column: string) => `${column} IN (SELECT value FROM json_each(?))`

/** A machine is named by its id as text or by its PROSE serial. [seed] [pub] */
const machineNamed = (column: string) => `${column} IN (
  SELECT machine.id FROM json_each(?) AS asked JOIN machine ON machine.prose = asked.value
  OR (machine.id = CAST(asked.value AS INTEGER) AND CAST(machine.id AS TEXT) = asked.value))`

const batchNamed = `id IN (
  SELECT CAST(substr(value, 2) AS INTEGER) FROM json_each(?)
  WHERE value = 'B' || CAST(substr(value, 2) AS INTEGER))`

/** A role is named by its id, as a number or a text, or by its name. [dec] */
const roleNamed = (column: string) => `${column} IN (
  SELECT role.id FROM json_each(?) AS asked JOIN role ON CAST(role.id AS TEXT) = CAST(asked.value AS TEXT)
  OR lower(json_extract(role.json, '$.name')) = lower(asked.value))`

/** A condition for records that name only their machine: where that machine is now. */
const ofMachines = (condition: string) => `machine_id IN (SELECT id FROM machine WHERE ${condition})`

/** Conditions of filters whose values are names as well as ids. */
const namings: Readonly<Partial<Record<FilterKey, (column: string) => string>>> = {
  machineIdentifiers: machineNamed,
  roleIdentifiers: roleNamed,
  transactionIdentifiers: () => batchNamed,
}

/**
 * The condition of a filter on the table of a read. Its one `?` takes the values as JSON text. Throws at a filter
 * that has no column.
 */
export function conditionOf(id: ReadId, key: FilterKey): string {
  const isOwn = filterOf(key).names === readOperation(id).resource || key === 'transactionIdentifiers'
  const column = isOwn ? 'id' : filterColumns[key]
  if (id === 'sessions.list' && key === 'sessionEventIds')
    return `id IN (SELECT session_id FROM session_event WHERE ${inside('id')})`
  if (column === undefined) throw new TypeError(`no column for ${key} of ${id}`)
  const condition = namings[key]?.(column) ?? inside(column)
  const table = tableOf(id)
  if (isOwn || hasColumn(table, column)) return condition
  return hasColumn(table, 'machine_id') ? ofMachines(condition) : '? IS NOT NULL' // products are those of everybody [dec]
}

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
