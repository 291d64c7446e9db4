import type {JsonRecord} from '../../values/json.js'
import {checkSet, type Element} from '../check-set.js'
import {toKey} from '../keys.js'
import type {Columns} from '../store/store.js'
import {blameRepeated, createProblems, nameById, nameByIndex, type Problems} from '../wire/problems.js'
import {checkUnique, findExisting, findOwner} from './existing.js'
import type {Call, WriteHandler} from './handler.js'

const flags = ['canView', 'canEdit', 'canExecute']

/** Creates role rights, one for each role and right; answers their ids in the order of the request. [pub] */
export const createRoleRights: WriteHandler = (call) => {
  const problems = createProblems(nameByIndex)
  const elements = checkSet(call, problems)
  const empty = elements.filter(({isSound, record}) => isSound && allowsNothing(record))
  for (const {index} of empty) problems.add('GENERIC_ERROR', 'A role right must allow something.', index)
  const owners = checkRights(elements, new Set(), call, problems)
  const first = call.store.nextId('role_right')
  return elements.map(({index, record}) => {
    const right = toRight(first + index, record)
    call.store.insert('role_right', first + index, right, toColumns(right, owners.get(index) ?? 0))
    return first + index
  })
}

/** Replaces role rights; those that allow nothing any more are deleted, and missing from the answer. [pub] */
export const updateRoleRights: WriteHandler = (call) => {
  const problems = createProblems(nameById(call.request.body))
  const elements = checkSet(call, problems)
  const known = elements.filter((element) => findExisting('role_right', element, call, problems))
  const ids = elements.map(({record}) => record['id'])
  blameRepeated(ids, problems)
  const owners = checkRights(known, new Set(ids.map(toKey)), call, problems)
  return elements.flatMap(({index, record}) => {
    const id = Number(toKey(record['id']))
    const right = toRight(id, record)
    const deleted = allowsNothing(record) ? 1 : 0
    call.store.update('role_right', id, right, {...toColumns(right, owners.get(index) ?? 0), deleted})
    return deleted ? [] : right
  })
}

/** The organization of each role, by its place in the set; throws when a role is missing or a pair is taken. */
function checkRights(elements: Element[], ids: ReadonlySet<unknown>, call: Call, problems: Problems) {
  const sound = elements.filter(({isSound}) => isSound)
  const owners = new Map(
    sound.map((element) => [element.index, findOwner('role', 'roleId', element, call, problems) ?? 0]),
  )
  checkUnique(sound, ids, call, {
    table: 'role_right',
    keyOf: ({roleId, rightId}) => ({role_id: toKey(roleId), right_id: toKey(rightId)}),
    blame: (index) => problems.add('GENERIC_ERROR', 'The role has this right already.', index),
  })
  problems.throwIfAny()
  return owners
}

function allowsNothing(record: JsonRecord): boolean {
  return flags.every((flag) => record[flag] === false)
}

function toRight(
  id: number,
  {roleId = null, rightId = null, canView = null, canEdit = null, canExecute = null}: JsonRecord,
) {
  return {id, roleId, rightId, canView, canEdit, canExecute}
}

function toColumns({roleId, rightId}: JsonRecord, owner: number): Columns {
  return {organization_id: owner, role_id: toKey(roleId), right_id: toKey(rightId)}
}
