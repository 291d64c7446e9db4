import type {JsonRecord} from '../../values/json.js'
import {blameRepeated, blameTwice} from '../request/problems.js'
import {toKey} from '../store/keys.js'
import {checkSet, type Element} from './check-set.js'
import {checkUnique, findExisting, findOwner, insertAll} from './existing.js'
import type {Call, WriteCall, WriteHandler} from './handler.js'

/** Sets settings: each time the record in force is retired, and one with a new id takes its place. [pub] */
export const setSettings: WriteHandler = (call) => {
  const {store, problems} = call
  const elements = checkSet(call)
  for (const element of elements) checkRetired(element, call)
  const sound = elements.filter(({isSound}) => isSound)
  for (const element of sound) findOwner('machine', 'machineId', element, call)
  blameRepeated(elements, problems)
  const keyOf = ({machineId, type}: JsonRecord) => `${toKey(machineId)} ${type}`
  blameTwice(sound, keyOf, (index) =>
    problems.add('GENERIC_ERROR', 'A machine and type stand more than once in the set.', index),
  )
  problems.throwIfAny()
  const first = store.nextId('machine_setting')
  return elements.map(({index, record}) => replaceSetting(first + index, record, call))
}

/** A record that was retired cannot be updated [dec], and none changes its machine or type. */
function checkRetired(element: Element, call: WriteCall): void {
  const {problems} = call
  const {index, record} = element
  const current = findExisting('machine_setting', element, call)
  if (!current) return
  if (current['isCurrent'] !== true) problems.add('MISSING_RECORD', 'The setting was retired.', index)
  if (toKey(current['machineId']) !== toKey(record['machineId']) || current['type'] !== record['type']) {
    problems.add('GENERIC_ERROR', 'machineId and type of a setting cannot change.', index)
  }
}

function replaceSetting(id: number, record: JsonRecord, {store}: Call): JsonRecord {
  const {machineId = null, type = null, settings = null, isActive = true} = record
  store.change(
    `UPDATE machine_setting SET is_current = 0, json = json_set(json, '$.isCurrent', json('false'))
     WHERE machine_id = ? AND type = ? AND is_current = 1`,
    toKey(machineId),
    String(type),
  )
  const made = {id, machineId, settings, isActive, isCurrent: true, type}
  store.insert('machine_setting', id, made)
  return made
}

/** Creates machine custom data, one record per machine and key; answers ids in the order of the request. */
export const createCustomData: WriteHandler = (call) => {
  const elements = checkSet(call)
  checkUnique(elements, new Set(), call, {
    check: (element) => void findOwner('machine', 'machineId', element, call),
    table: 'custom_data',
    keyOf: ({machineId, key}) => ({machine_id: toKey(machineId), key: String(key)}),
    code: 'CUSTOM_DATA_EXISTS',
    message: 'This machine already has custom data under this key.',
  })
  return insertAll('custom_data', elements, call, (id, {record}) => {
    const {machineId = null, key = null, value = null} = record
    return {id, machineId, key, value}
  })
}
