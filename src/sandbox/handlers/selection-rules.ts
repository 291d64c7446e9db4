import {type JsonRecord, numberText} from '../../values/json.js'
import type {Problems} from '../request/problems.js'
import {toKey} from '../store/keys.js'
import type {Columns, Store} from '../store/record-store.js'
import {type Element, isInteger} from './check-set.js'
import {checkUnique, findOwner} from './existing.js'
import type {Call} from './handler.js'

/** Each is at most the next one that is given; a count is at most the depth. [dec] */
const levels = [['alertLevel', 'restockAt', 'restockTo', 'depth'] as const, ['count', 'depth'] as const]

/** The organization of each selection, by its place in the set; throws when one breaks a rule. */
export function checkSelections(
  elements: Element[],
  ids: ReadonlySet<unknown>,
  call: Call,
  problems: Problems,
): Map<number, number> {
  const sound = elements.filter(({isSound}) => isSound)
  const owners = new Map<number, number>()
  for (const element of sound) {
    owners.set(element.index, findOwner('machine', 'machineId', element, call, problems) ?? 0)
    for (const names of levels) checkOrder(element, names, problems)
  }
  checkUnique(sound, ids, call, {
    table: 'selection',
    keyOf: ({machineId, selectionNumber}) => ({machine_id: toKey(machineId), number: String(selectionNumber)}),
    blame: (index) => problems.add('SELECTION_VALIDATION', 'The machine has another selection of this number.', index),
  })
  problems.throwIfAny()
  return owners
}

function checkOrder({index, record}: Element, names: readonly string[], problems: Problems): void {
  let last: {name: string; level: bigint} | undefined
  for (const name of names) {
    const value = record[name]
    if (!isInteger(value)) continue
    const level = BigInt(numberText(value))
    if (last && last.level > level) {
      problems.add('SELECTION_VALIDATION', `${last.name} must not be above ${name}.`, index)
    }
    last = {name, level}
  }
}

/** The columns a selection is searched by. */
export function toSelectionColumns({machineId, selectionNumber}: JsonRecord, owner: number): Columns {
  return {organization_id: owner, machine_id: toKey(machineId), number: String(selectionNumber)}
}

/** Machines whose planogram has changed pick it up at their next check-in. [pub] */
export function markPlanogram({store}: {store: Store}, machines: ReadonlySet<number | bigint>): void {
  const list = `[${[...machines].join(',')}]`
  const changed = `json_set(json, '$.hasPlanogramChange', json('true'))`
  store.change(`UPDATE machine SET json = ${changed} WHERE id IN (SELECT value FROM json_each(?))`, list)
}
