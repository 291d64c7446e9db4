import {type FilterKey, filterOf, type ReadId, readOperation} from '../../contract/index.js'

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

/** Records that know their machine only: where the machine stands now. */
const ofMachines = (condition: string) => `machine_id IN (SELECT id FROM machine WHERE ${condition})`

/** The columns that filters are about, where the records of a read are not what the filter names. */
const columns: Readonly<Partial<Record<FilterKey, string>>> = {
  organizationIds: 'organization_id',
  accountIds: 'account_id',
  siteIds: 'site_id',
  machineIdentifiers: 'machine_id',
  alertCodes: 'code',
  transactionIdentifiers: 'id',
  templateIds: 'template_id',
  sessionIds: 'session_id',
  roleIdentifiers: 'role_id',
  rightIds: 'right_id',
}

/** Filters whose values are no ids. */
const namings: Readonly<Partial<Record<FilterKey, (column: string) => string>>> = {
  machineIdentifiers: machineNamed,
  roleIdentifiers: roleNamed,
  transactionIdentifiers: () => batchNamed,
}

const special: {readonly [Id in ReadId]?: Readonly<Partial<Record<FilterKey, string>>>} = {
  'selections.list': {accountIds: ofMachines(inside('account_id')), siteIds: ofMachines(inside('site_id'))},
  'products.list': {organizationIds: '? IS NOT NULL'}, // products are the same for everybody [dec]
  'sessions.list': {
    sessionEventIds: 'id IN (SELECT session_id FROM session_event WHERE id IN (SELECT value FROM json_each(?)))',
  },
}

/**
 * The condition of a filter on the table of a read. Its one `?` stands for the values as JSON text. Throws at a filter
 * whose column nobody named.
 */
export function conditionOf(id: ReadId, key: FilterKey): string {
  const own = special[id]?.[key]
  if (own !== undefined) return own
  const column = filterOf(key).names === readOperation(id).resource ? 'id' : columns[key]
  if (column === undefined) throw new TypeError(`no column for ${key} of ${id}`)
  return namings[key]?.(column) ?? inside(column)
}
