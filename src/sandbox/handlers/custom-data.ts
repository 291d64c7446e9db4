import {checkSet, type Element} from '../check-set.js'
import {foreign, mayAccess} from '../data-access.js'
import {toKey} from '../keys.js'
import {toPointer} from '../refusal.js'
import {createProblems, nameByIndex, type Problems} from '../wire/problems.js'
import type {Call, WriteHandler} from './handler.js'

/** Creates machine custom data, one record per machine and key; answers ids in the order of the request. */
export const createCustomData: WriteHandler = (call) => {
  const {store} = call
  const problems = createProblems(nameByIndex)
  const elements = checkSet(call, problems)
  const sound = elements.filter(({isSound}) => isSound)
  const owners = new Map(sound.map((element) => [element.index, findOwner(element, call, problems)]))
  checkKeys(sound, call, problems)
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

/** The organization of the machine. A machine that does not exist is named by its own id. [dec] */
function findOwner({index, record}: Element, {store, caller}: Call, problems: Problems): number | undefined {
  const {machineId} = record
  const machine = store.database.get(
    'SELECT organization_id FROM machine WHERE id = ? AND deleted = 0',
    toKey(machineId),
  )
  if (!machine) {
    const name = {pointerName: 'machineId', pointer: toPointer(machineId)}
    problems.add('MISSING_RECORD', 'Machine does not exist.', index, name)
    return undefined
  }
  const owner = Number(machine['organization_id'])
  if (!mayAccess(caller, owner)) {
    problems.add('DATA_ACCESS', foreign, index)
  }
  return owner
}

function checkKeys(elements: Element[], {store}: Call, problems: Problems): void {
  const seen = new Set<string>()
  for (const {index, record} of elements) {
    const machine = toKey(record['machineId'])
    const key = String(record['key'])
    const name = `${machine} ${key}`
    const stored = store.database.get('SELECT id FROM custom_data WHERE machine_id = ? AND key = ?', machine, key)
    if (stored || seen.has(name)) {
      problems.add('CUSTOM_DATA_EXISTS', 'This machine already has custom data under this key.', index)
    }
    seen.add(name)
  }
}
