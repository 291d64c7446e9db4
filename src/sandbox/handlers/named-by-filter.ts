import type {FilterKey} from '../../contract/index.js'
import type {Row} from '../../core/sqlite.js'
import {type JsonValue, printJson} from '../../values/json.js'
import {findListFilter} from '../request/given-filters.js'
import {refuse, toPointer} from '../request/http-answer.js'
import {toKey} from '../store/keys.js'
import type {Call} from './handler.js'
import {checkFilterAccess, conditionOf} from './read-conditions.js'

/** The values of a filter that says what a write changes; none, or one of others, is refused. */
export function findTargets(key: FilterKey, {request, store, caller}: Call): JsonValue[] {
  const lists = findListFilter(request, key)
  if (lists.length === 0) {
    throw refuse('MISSING_REQUIRED_DATA', `${key} must name at least one record.`, [key], 'name')
  }
  for (const list of lists) checkFilterAccess(store, caller, key, printJson(list))
  return findInAll(lists)
}

/** The one value of such a filter. */
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
  if (missing.length > 0) {
    throw refuse('MISSING_RECORD', 'Machine does not exist.', missing.map(toPointer), 'machineIdentifiers')
  }
  return found.filter((row) => row !== undefined)
}

/** The values that all lists name. */
export function findInAll([first = [], ...others]: JsonValue[][]): JsonValue[] {
  const key = (value: JsonValue) => (typeof value === 'string' ? value : toKey(value))
  const sets = others.map((list) => new Set(list.map(key)))
  return first.filter((value) => sets.every((set) => set.has(key(value))))
}
