import {fieldsOf} from '../../contract/index.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {blameRepeated, createProblems, nameById, nameByIndex, type Problems} from '../request/problems.js'
import {toKey} from '../store/keys.js'
import {checkSet, type Element, isInteger} from './check-set.js'
import {findExisting} from './existing.js'
import type {Call, WriteHandler} from './handler.js'
import {checkSelections, markPlanogram, toSelectionColumns} from './selection-rules.js'
import {changeStock, countOf, writeAdjustment} from './stock.js'

const names = Object.keys(fieldsOf('selection', 'read'))

/** Creates selections; answers their ids in the order of the request. Their stock is the first adjustment. */
export const createSelections: WriteHandler = (call) => {
  const {store, caller, now} = call
  const problems = createProblems(nameByIndex)
  const elements = checkSet(call, problems)
  const owners = checkSelections(elements, new Set(), call, problems)
  const first = store.nextId('selection')
  for (const {index, record} of elements) {
    const selection = toSelection(first + index, record, true)
    store.insert('selection', first + index, selection, toSelectionColumns(selection, owners.get(index) ?? 0))
    writeAdjustment(store, selection, countOf(selection['count']), {userId: caller.userId, now})
  }
  markPlanogram(call, new Set(elements.map(({record}) => toKey(record['machineId']))))
  return elements.map(({index}) => first + index)
}

/** Replaces selections: a field that is left out becomes null [dec]; answers the changed records. [pub] */
export const updateSelections: WriteHandler = (call) => {
  const problems = createProblems(nameById(call.request.body))
  const elements = checkSet(call, problems)
  const current = elements.map((element) => findExisting('selection', element, call, problems))
  for (const element of elements) checkCount(element, problems)
  const ids = elements.map(({record}) => record['id'])
  blameRepeated(ids, problems)
  const known = elements.filter(({index}) => current[index])
  const owners = checkSelections(known, new Set(ids.map(toKey)), call, problems)
  const changed = elements.map(({index, record}) => {
    const before = current[index] ?? {}
    return {before, after: replaceSelection(before, record, owners.get(index) ?? 0, call)}
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
  const problems = createProblems(nameById(call.request.body))
  const elements = checkSet(call, problems)
  const selections = elements.map((element) => findExisting('selection', element, call, problems) ?? {})
  blameRepeated(
    elements.map(({record}) => record['id']),
    problems,
  )
  problems.throwIfAny()
  for (const selection of selections) {
    const id = Number(toKey(selection['id']))
    call.store.update('selection', id, {...selection, isActive: false}, {deleted: 1})
  }
  markPlanogram(call, new Set(selections.map(({machineId}) => toKey(machineId))))
  return []
}

/** Changes stock by a difference, which each time writes an adjustment of the caller; answers the records. [pub] */
export const adjustSelections: WriteHandler = (call) => {
  const {store, caller, now} = call
  const problems = createProblems(nameById(call.request.body, 'selectionId'))
  const elements = checkSet(call, problems)
  const selections = elements.map((element) => findExisting('selection', element, call, problems, 'selectionId'))
  for (const element of elements) checkDelta(element, selections[element.index], problems)
  checkOnce(elements, problems)
  problems.throwIfAny()
  const by = {userId: caller.userId, now}
  return elements.map(({index, record}) => changeStock(store, selections[index] ?? {}, countOf(record['delta']), by))
}

/** A count cannot be null, so an update that leaves it out lacks it. [dec] */
function checkCount({index, record}: Element, problems: Problems): void {
  if (record['count'] === undefined) problems.add('MISSING_REQUIRED_DATA', 'count is required.', index)
}

function checkDelta({index, record}: Element, selection: JsonRecord | undefined, problems: Problems): void {
  if (!selection || !isInteger(record['delta'])) return
  const count = countOf(selection['count']) + countOf(record['delta'])
  if (count < 0n) problems.add('SELECTION_VALIDATION', 'The stock would be below 0.', index)
  if (count > countOf(selection['depth']))
    problems.add('SELECTION_VALIDATION', 'The stock would be above depth.', index)
}

function checkOnce(elements: Element[], problems: Problems): void {
  const seen = new Set<number | bigint>()
  for (const {index, record} of elements) {
    const id = toKey(record['selectionId'])
    if (seen.has(id)) problems.add('SELECTION_VALIDATION', 'A selection stands more than once in the set.', index)
    if (id !== 0) seen.add(id)
  }
}

function replaceSelection(
  before: JsonRecord,
  given: JsonRecord,
  owner: number,
  {store, caller, now}: Call,
): JsonRecord {
  const id = Number(toKey(given['id']))
  const selection = toSelection(id, given, before['isActive'] !== false)
  store.update('selection', id, selection, toSelectionColumns(selection, owner))
  const size = countOf(selection['count']) - countOf(before['count'])
  writeAdjustment(store, selection, size, {userId: caller.userId, now})
  return selection
}

/** A complete record: what is not given is null, except what the service sets. */
export function toSelection(id: number, given: JsonRecord, isActive: boolean): JsonRecord {
  const selection = Object.fromEntries(names.map((name) => [name, given[name] ?? null]))
  return {...selection, id, friendlyNumber: given['selectionNumber'] ?? null, isActive}
}

/** What the machine must know: everything but the stock. */
function planogramOf({count: _count, ...others}: JsonRecord): string {
  return printJson(others)
}
