import type {JsonRecord} from '../../values/json.js'
import {blameRepeated} from '../request/problems.js'
import {toKey} from '../store/keys.js'
import {checkSet, type Element} from './check-set.js'
import {checkUnique, findExisting, findOwner, idsOf, insertAll} from './existing.js'
import type {Call, WriteCall, WriteHandler} from './handler.js'

const flags = ['canView', 'canEdit', 'canExecute']

/** Creates role rights, one for each role and right; answers their ids in the order of the request. [pub] */
export const createRoleRights: WriteHandler = (call) => {
  const elements = checkSet(call)
  const empty = elements.filter(({isSound, record}) => isSound && allowsNothing(record))
  for (const {index} of empty) call.problems.add('GENERIC_ERROR', 'A role right must allow something.', index)
  checkRights(elements, new Set(), call)
  const ids = insertAll('role_right', elements, call, (id, {record}) => toRight(id, record))
  changeAtMachines(call, [], elements)
  return ids
}

/**
 * Changes role rights; what an element does not say stays. [pub] Those that allow nothing any more are deleted, and missing
 * from the answer. [pub]
 */
export const updateRoleRights: WriteHandler = (call) => {
  const sent = checkSet(call, ['id'])
  const stored = sent.map((element) => findExisting('role_right', element, call))
  const elements = sent.map((element, place) => ({...element, record: {...stored[place], ...element.record}}))
  const known = elements.filter((_, place) => stored[place])
  blameRepeated(elements, call.problems)
  checkRights(known, idsOf(elements), call)
  const allowed = elements.filter(({record}) => !allowsNothing(record))
  const changed = stored.map((record = {}) => ({record}))
  changeAtMachines(call, changed, allowed)
  return elements.flatMap(({record}) => {
    const id = Number(toKey(record['id']))
    const right = toRight(id, record)
    const deleted = allowsNothing(record) ? 1 : 0
    call.store.update('role_right', id, right, {deleted})
    return deleted ? [] : right
  })
}

/** Throws when a role does not exist or has such a right already. */
function checkRights(elements: Element[], ids: ReadonlySet<unknown>, call: WriteCall): void {
  checkUnique(elements, ids, call, {
    check: (element) => void findOwner('role', 'roleId', element, call),
    table: 'role_right',
    keyOf: ({roleId, rightId}) => ({role_id: toKey(roleId), right_id: toKey(rightId)}),
    code: 'GENERIC_ERROR',
    message: 'The role has this right already.',
  })
}

function allowsNothing(record: JsonRecord): boolean {
  return flags.every((flag) => record[flag] === false)
}

type Rights = readonly Pick<Element, 'record'>[]

/** At each machine where a role has rights it has those that it is given, and not those that it loses. [dec] */
function changeAtMachines({store}: Call, before: Rights, after: Rights): void {
  const pairsOf = (rights: Rights) =>
    new Map(
      rights.map(({record: {roleId = null, rightId = null}}) => [
        `${toKey(roleId)} ${toKey(rightId)}`,
        [toKey(roleId), toKey(rightId)] as const,
      ]),
    )
  const [lost, given] = [pairsOf(before), pairsOf(after)]
  const ofPair = `role_id = ? AND json_extract(json, '$.rightId') = ?`
  for (const [text, pair] of lost)
    if (!given.has(text)) store.change(`UPDATE machine_right SET deleted = 1 WHERE ${ofPair}`, ...pair)
  for (const [text, pair] of given) {
    if (lost.has(text)) continue
    store.change(`UPDATE machine_right SET deleted = 0 WHERE ${ofPair}`, ...pair)
    store.change(
      `INSERT INTO machine_right (json, organization_id, machine_id, role_id)
       SELECT json_object('machineId', machine_id, 'rightId', ?2), organization_id, machine_id, role_id
       FROM machine_right WHERE role_id = ?1
       GROUP BY machine_id HAVING max(json_extract(json, '$.rightId') = ?2) = 0`,
      ...pair,
    )
  }
}

function toRight(
  id: number,
  {roleId = null, rightId = null, canView = null, canEdit = null, canExecute = null}: JsonRecord,
) {
  return {id, roleId, rightId, canView, canEdit, canExecute}
}
