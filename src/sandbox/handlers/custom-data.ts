import {checkSet} from '../check-set.js'
import {toKey} from '../keys.js'
import {createProblems, nameByIndex} from '../wire/problems.js'
import {checkUnique, findOwner} from './existing.js'
import type {WriteHandler} from './handler.js'

/** Creates machine custom data, one record per machine and key; answers ids in the order of the request. */
export const createCustomData: WriteHandler = (call) => {
  const {store} = call
  const problems = createProblems(nameByIndex)
  const elements = checkSet(call, problems)
  const sound = elements.filter(({isSound}) => isSound)
  const owners = new Map(
    sound.map((element) => [element.index, findOwner('machine', 'machineId', element, call, problems)]),
  )
  checkUnique(sound, new Set(), call, {
    table: 'custom_data',
    keyOf: ({machineId, key}) => ({machine_id: toKey(machineId), key: String(key)}),
    blame: (index) => problems.add('CUSTOM_DATA_EXISTS', 'This machine already has custom data under this key.', index),
  })
  problems.throwIfAny()
  const first = store.nextId('custom_data')
  return elements.map(({index, record}) => {
    const id = first + index
    const {machineId = null, key = null, value = null} = record
    const columns = {organization_id: owners.get(index) ?? 0, machine_id: toKey(machineId), key: String(key)}
    store.insert('custom_data', id, {id, machineId, key, value}, columns)
    return id
  })
}
