import type {FilterKey, RefusalCode} from '../../contract/index.js'
import type {Row} from '../../core/sqlite.js'
import {findRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {findListFilter} from '../request/given-filters.js'
import {blameRepeated} from '../request/problems.js'
import {refuse, toPointer} from '../request/refused.js'
import {toKey} from '../store/keys.js'
import type {Store} from '../store/record-store.js'
import type {Columns, RecordTable} from '../store/store-tables.js'
import {checkSet, type Element, isInteger} from './check-set.js'
import type {Call, WriteCall} from './handler.js'
import {checkFilterAccess, conditionOf, foreign, mayAccess} from './read-conditions.js'

/** The record that an element names by its id; reports one that does not exist, or that the caller may not access. */
export function findExisting(
  table: RecordTable,
  {index, record}: Element,
  {store, caller, problems}: WriteCall,
  name = 'id',
): JsonRecord | undefined {
  if (!isInteger(record[name])) return undefined
  const sql = `SELECT json, organization_id FROM ${table} WHERE id = ? AND deleted = 0`
  const row = store.database.get(sql, toKey(record[name]))
  if (!row) problems.add('MISSING_RECORD', 'The record does not exist.', index)
  else if (!mayAccess(caller, Number(row['organization_id']))) problems.add('DATA_ACCESS', foreign, index)
  return row && findRecord(String(row['json']))
}

/** Adds a record for each element; answers their ids in the order of the request. */
export function insertAll(
  table: RecordTable,
  elements: readonly Element[],
  {store}: WriteCall,
  toRecord: (id: number, element: Element) => JsonRecord,
): number[] {
  const first = store.nextId(table)
  return elements.map((element, place) => {
    store.insert(table, first + place, toRecord(first + place, element))
    return first + place
  })
}

export function idsOf(elements: readonly Element[]): ReadonlySet<unknown> {
  return new Set(elements.map(({record}) => toKey(record['id'])))
}

/** The records that a set names, checked. Throws all problems of the set; a record named twice is one. */
export function findAll(
  table: RecordTable,
  elements: readonly Element[],
  call: WriteCall,
  check?: (element: Element, record: JsonRecord | undefined) => void,
): JsonRecord[] {
  const records = elements.map((element) => findExisting(table, element, call))
  for (const [place, element] of elements.entries()) check?.(element, records[place])
  blameRepeated(elements, call.problems)
  call.problems.throwIfAny()
  return records.map((record) => record ?? {})
}

/** Marks the records of a set as deleted, and sets `flag` to false; returns the records as they were. */
export function deleteRecords(table: RecordTable, flag: string, call: WriteCall): JsonRecord[] {
  const records = findAll(table, checkSet(call), call)
  for (const record of records)
    call.store.update(table, Number(toKey(record['id'])), {...record, [flag]: false}, {deleted: 1})
  return records
}

export type ParentTable = 'machine' | 'role' | 'site'

const labels: Readonly<Record<ParentTable, string>> = {machine: 'Machine', role: 'Role', site: 'Site'}

/**
 * The organization of a parent that an element names in a field; reports a missing one by the id of the parent. [dec]
 */
export function findOwner(
  table: ParentTable,
  name: string,
  {index, record}: Element,
  {store, caller, problems}: WriteCall,
): number | undefined {
  const id = record[name]
  const sql = `SELECT organization_id FROM ${table} WHERE id = ? AND deleted = 0`
  const parent = store.database.get(sql, toKey(id))
  if (!parent) {
    const named = {pointerName: name, pointer: toPointer(id)}
    problems.add('MISSING_RECORD', `${labels[table]} does not exist.`, index, named)
    return undefined
  }
  const owner = Number(parent['organization_id'])
  if (mayAccess(caller, owner)) return owner
  problems.add('DATA_ACCESS', foreign, index)
  return undefined
}

type Uniqueness = {
  /** Checks each element before its key is compared. */
  check: (element: Element) => void
  table: RecordTable
  /** The columns that no two records share. */
  keyOf: (record: JsonRecord) => Columns
  /** Code for an element whose key another record has. */
  code: RefusalCode
  message: string
}

/**
 * Throws when an element that is sound by itself breaks a rule. Keys are unique as they will be once the set is applied:
 * a set may swap two of them. `ids` are the records that the set itself changes.
 */
export function checkUnique(
  elements: readonly Element[],
  ids: ReadonlySet<unknown>,
  {store, problems}: WriteCall,
  {check, table, keyOf, code, message}: Uniqueness,
): void {
  const sound = elements.filter(({isSound}) => isSound)
  for (const element of sound) check(element)
  const seen = new Map<string, unknown>()
  for (const {index, record} of sound) {
    const columns = keyOf(record)
    const own = record['id'] === undefined ? index : String(toKey(record['id']))
    const key = Object.values(columns).join(' ')
    const where = Object.keys(columns).map((column) => `${column} = ?`)
    const sql = `SELECT id FROM ${table} WHERE ${where.join(' AND ')} AND deleted = 0`
    const stored = store.database.all(sql, ...Object.values(columns))
    if ((seen.get(key) ?? own) !== own || stored.some(({id}) => !ids.has(id))) problems.add(code, message, index)
    seen.set(key, own)
  }
  problems.throwIfAny()
}

/** Tables whose records name only a machine, and belong to the organization of that machine. */
const ofMachines = ['custom_data', 'selection', 'machine_setting', 'machine_right'] as const

/**
 * Moves such records along with machines into another organization; records of past events stay where they happened.
 */
export function moveBelongings(store: Store, machines: readonly (number | bigint)[]): void {
  for (const table of ofMachines) {
    store.change(
      `UPDATE ${table} SET organization_id = machine.organization_id
       FROM machine WHERE machine.id = machine_id AND machine.id IN (SELECT value FROM json_each(?))`,
      `[${machines.join(',')}]`,
    )
  }
}

/**
 * The values of a filter that chooses the records of a write. Throws for none, and for one the caller may not access.
 */
export function findTargets(key: FilterKey, {request, store, caller}: Call): JsonValue[] {
  const lists = findListFilter(request, key)
  if (lists.length === 0) throw refuse('MISSING_REQUIRED_DATA', `${key} must name at least one record.`, [key], 'name')
  for (const list of lists) checkFilterAccess(store, caller, key, printJson(list))
  return findInAll(lists)
}

/** The one value of a filter. Throws for several. */
export function findOnly(key: FilterKey, call: Call): JsonValue | undefined {
  const targets = findTargets(key, call)
  if (targets.length > 1) throw refuse('GENERIC_ERROR', `${key} must name exactly one record.`, [], key)
  return targets[0]
}

/** Machines by id or PROSE serial; those that do not exist are refused together. */
export function findMachines(identifiers: readonly (JsonValue | undefined)[], {store}: Call): Row[] {
  const named = conditionOf('machines.list', 'machineIdentifiers')
  const sql = `SELECT id, organization_id, prose FROM machine WHERE ${named} AND deleted = 0`
  const found = identifiers.map((identifier) => store.database.get(sql, JSON.stringify([identifier])))
  const missing = identifiers.filter((_, index) => found[index] === undefined)
  if (missing.length > 0)
    throw refuse('MISSING_RECORD', 'Machine does not exist.', missing.map(toPointer), 'machineIdentifiers')
  return found.filter((row) => row !== undefined)
}

/** The values that all lists name. */
export function findInAll([first = [], ...others]: JsonValue[][]): JsonValue[] {
  const key = (value: JsonValue) => (typeof value === 'string' ? value : toKey(value))
  const sets = others.map((list) => new Set(list.map(key)))
  return first.filter((value) => sets.every((set) => set.has(key(value))))
}
