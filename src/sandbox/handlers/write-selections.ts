import {fieldsOf} from '../../contract/index.js'
import {isRecord, type JsonRecord, numberText, parseJson, printJson} from '../../values/json.js'
import {blameRepeated, blameTwice} from '../request/problems.js'
import {refuse, toPointer} from '../request/refused.js'
import {textOf, toKey} from '../store/keys.js'
import type {Store} from '../store/record-store.js'
import {checkSet, type Element, isInteger} from './check-set.js'
import {
  checkUnique,
  deleteRecords,
  findExisting,
  findMachines,
  findOwner,
  findTargets,
  idsOf,
  insertAll,
} from './existing.js'
import type {Call, WriteCall, WriteHandler} from './handler.js'
import {mayAccess} from './read-conditions.js'
import {changeStock, countOf, writeAdjustment} from './stock.js'

const names = Object.keys(fieldsOf('selection', 'read'))

/** Creates selections; answers their ids in the order of the request. Their stock is the first adjustment. */
export const createSelections: WriteHandler = (call) => {
  const {store, caller, now} = call
  const elements = checkSet(call)
  checkSelections(elements, new Set(), call)
  const ids = insertAll('selection', elements, call, (id, {record}) => toSelection(id, record, true))
  for (const {record} of elements)
    writeAdjustment(store, record, countOf(record['count']), {userId: caller.userId, now})
  markPlanogram(call, new Set(elements.map(({record}) => toKey(record['machineId']))))
  return ids
}

/** Replaces selections: a field that is left out becomes null [dec]; answers the changed records. [pub] */
export const updateSelections: WriteHandler = (call) => {
  const {problems} = call
  const elements = checkSet(call)
  const current = elements.map((element) => findExisting('selection', element, call))
  for (const {index, record} of elements) // a count cannot be null [dec]
    if (record['count'] === undefined) problems.add('MISSING_REQUIRED_DATA', 'count is required.', index)
  blameRepeated(elements, problems)
  const known = elements.filter(({index}) => current[index])
  checkSelections(known, idsOf(elements), call)
  const changed = elements.map(({index, record}) => {
    const before = current[index] ?? {}
    return {before, after: replaceSelection(before, record, call)}
  })
  const moved = changed.filter(({before, after}) => planogramOf(before) !== planogramOf(after))
  markPlanogram(
    call,
    new Set(moved.flatMap(({before, after}) => [before, after].map((one) => toKey(one['machineId'])))),
  )
  return changed.map(({after}) => after)
}

/** Marks selections as deleted; one that is deleted already is missing. [dec] */
export const deleteSelections: WriteHandler = (call) => {
  const selections = deleteRecords('selection', 'isActive', call)
  markPlanogram(call, new Set(selections.map(({machineId}) => toKey(machineId))))
  return []
}

/** Changes stock by a difference, which each time writes an adjustment of the caller; answers the records. [pub] */
export const adjustSelections: WriteHandler = (call) => {
  const {store, caller, now, problems} = call
  const elements = checkSet(call)
  const keyOf = ({selectionId}: JsonRecord) => toKey(selectionId) || undefined
  const selections = elements.map((element) => findExisting('selection', element, call, 'selectionId'))
  for (const element of elements) checkDelta(element, selections[element.index], call)
  blameTwice(elements, keyOf, (index) =>
    problems.add('SELECTION_VALIDATION', 'A selection appears more than once in the set.', index),
  )
  problems.throwIfAny()
  const by = {userId: caller.userId, now}
  return elements.map(({index, record}) => changeStock(store, selections[index] ?? {}, countOf(record['delta']), by))
}

function checkDelta({index, record}: Element, selection: JsonRecord | undefined, {problems}: WriteCall): void {
  if (!selection || !isInteger(record['delta'])) return
  const count = countOf(selection['count']) + countOf(record['delta'])
  if (count < 0n) problems.add('SELECTION_VALIDATION', 'The stock would be below 0.', index)
  if (count > countOf(selection['depth']))
    problems.add('SELECTION_VALIDATION', 'The stock would be above depth.', index)
}

function replaceSelection(before: JsonRecord, given: JsonRecord, {store, caller, now}: Call): JsonRecord {
  const id = Number(toKey(given['id']))
  const selection = toSelection(id, given, before['isActive'] !== false)
  store.update('selection', id, selection)
  const size = countOf(selection['count']) - countOf(before['count'])
  writeAdjustment(store, selection, size, {userId: caller.userId, now})
  return selection
}

/** A complete record: what is not given is null, except what the service sets. */
export function toSelection(id: number, given: JsonRecord, isActive: boolean): JsonRecord {
  const selection = Object.fromEntries(names.map((name) => [name, given[name] ?? null]))
  return {...selection, id, friendlyNumber: given['selectionNumber'] ?? null, isActive}
}

/** The part of a selection that the machine must know: everything but the stock. */
function planogramOf({count: _count, ...others}: JsonRecord): string {
  return printJson(others)
}

/** Each is at most the next one that is given; a count is at most the depth. [dec] */
const levels = [['alertLevel', 'restockAt', 'restockTo', 'depth'] as const, ['count', 'depth'] as const]

/** Throws when a selection breaks a rule; `ids` are those that the set itself changes. */
function checkSelections(elements: Element[], ids: ReadonlySet<unknown>, call: WriteCall): void {
  checkUnique(elements, ids, call, {
    check: (element) => {
      findOwner('machine', 'machineId', element, call)
      for (const names of levels) checkOrder(element, names, call)
    },
    table: 'selection',
    keyOf: ({machineId, selectionNumber}) => ({machine_id: toKey(machineId), number: String(selectionNumber)}),
    code: 'SELECTION_VALIDATION',
    message: 'The machine has another selection of this number.',
  })
}

function checkOrder({index, record}: Element, names: readonly string[], {problems}: WriteCall): void {
  let last: {name: string; level: bigint} | undefined
  for (const name of names) {
    const value = record[name]
    if (!isInteger(value)) continue
    const level = BigInt(numberText(value))
    if (last && last.level > level)
      problems.add('SELECTION_VALIDATION', `${last.name} must not be above ${name}.`, index)
    last = {name, level}
  }
}

/** Machines whose planogram has changed pick it up at their next check-in. [pub] */
function markPlanogram({store}: {store: Store}, machines: ReadonlySet<number | bigint>): void {
  const list = `[${[...machines].join(',')}]`
  const changed = `json_set(json, '$.hasPlanogramChange', json('true'))`
  store.change(`UPDATE machine SET json = ${changed} WHERE id IN (SELECT value FROM json_each(?))`, list)
}

/** Applies one template to machines of one organization; selections that are not in it stay as they are. [pub] [dec] */
export const applyTemplate: WriteHandler = (call) => {
  const machines = findMachines(findTargets('machineIdentifiers', call), call)
  const [owner = 0, ...others] = new Set(machines.map((machine) => Number(machine['organization_id'])))
  const holders = findTemplate(call, owner)
  if (others.length > 0)
    throw refuse('GENERIC_ERROR', 'The machines belong to more than one organization.', [], 'machineIdentifiers')
  const changed = new Set(machines.map(({id}) => Number(id)))
  for (const machineId of changed) for (const given of holders) applyTo(machineId, given, call)
  markPlanogram(call, changed)
  return []
}

/** The selections of the one template that the request names. */
function findTemplate(call: Call, owner: number): JsonRecord[] {
  const {store, caller} = call
  const ids = findTargets('templateIds', call)
  const [id, ...others] = new Set(ids.map(toKey))
  if (others.length > 0) throw refuse('MULTIPLE_TEMPLATES', undefined, ids.map(toPointer), 'templateIds')
  const named = [toPointer(ids[0])]
  const row = store.database.get('SELECT organization_id FROM template WHERE id = ? AND deleted = 0', id ?? 0)
  if (!row) throw refuse('MISSING_RECORD', 'Template does not exist.', named, 'templateIds')
  if (!mayAccess(caller, Number(row['organization_id']))) throw refuse('DATA_ACCESS', undefined, named, 'templateIds')
  if (row['organization_id'] !== owner)
    throw refuse('GENERIC_ERROR', 'The template belongs to another organization.', named, 'templateIds')
  const sql = 'SELECT json FROM template_selection WHERE template_id = ? AND deleted = 0 ORDER BY id'
  const holders = store.database.all(sql, id ?? 0).map(({json}) => parseJson(String(json)))
  if (holders.length === 0) throw refuse('NO_SELECTIONS', undefined, named, 'templateIds')
  return holders.filter(isRecord)
}

const setByTemplate = ['productId', 'price', 'invoicePrice', 'depth', 'commission', 'tax']

/** Changes the selection of that number, or creates one without stock. */
function applyTo(machineId: number, given: JsonRecord, {store}: Call): void {
  const {par = null} = given
  const number = textOf(given['selectionNumber'])
  const set = {...Object.fromEntries(setByTemplate.map((name) => [name, given[name] ?? null])), restockTo: par}
  const sql = 'SELECT id, json FROM selection WHERE machine_id = ? AND number = ? AND deleted = 0'
  const row = store.database.get(sql, machineId, number)
  const current = row && parseJson(String(row['json']))
  if (row && isRecord(current)) {
    const changed = {...current, ...set}
    if (printJson(changed) !== row['json']) store.update('selection', Number(row['id']), changed)
    return
  }
  const id = store.nextId('selection')
  const created = {...set, machineId, selectionNumber: number, count: 0, freeCount: 0}
  store.insert('selection', id, toSelection(id, created, true))
}
