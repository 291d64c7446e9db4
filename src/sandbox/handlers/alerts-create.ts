import {fieldsOf} from '../../contract/index.js'
import type {Row} from '../../core/sqlite.js'
import type {JsonRecord} from '../../values/json.js'
import {createProblems, nameByIndex, type Problems} from '../request/problems.js'
import {toPointer} from '../request/refusal.js'
import {toKey} from '../store/keys.js'
import {type AlertMachine, checkTime, findAlertMachine, toAlertColumns, toTimes, toUtc} from './alert-records.js'
import {checkSet, type Element} from './check-set.js'
import {foreign, mayAccess} from './data-access.js'
import type {Call, WriteHandler} from './handler.js'

const emptyAlert = Object.fromEntries(Object.keys(fieldsOf('alert', 'read')).map((name) => [name, null]))

type Parents = {machine: AlertMachine; code: Row}

/** Creates alerts; answers their ids in the order of the request. */
export const createAlerts: WriteHandler = (call) => {
  const problems = createProblems(nameByIndex)
  const elements = checkSet(call, problems)
  const parents = findParents(elements, call, problems)
  problems.throwIfAny()
  const first = call.store.nextId('alert')
  return elements.flatMap(({index, record}) => {
    const found = parents.get(index)
    if (!found) return []
    const alert = toAlert(first + index, record, found, call.now)
    call.store.insert('alert', first + index, alert, toAlertColumns(alert))
    return first + index
  })
}

function findParents(elements: Element[], call: Call, problems: Problems): Map<number, Parents> {
  const open = new Set<string>()
  const parents = new Map<number, Parents>()
  for (const element of elements.filter(({isSound}) => isSound)) {
    const machine = findMachine(element, call, problems)
    const code = findCode(element, call, problems)
    if (!machine || !code) continue
    checkOnlyOne(element, code, open, call, problems)
    for (const name of ['raisedAt', 'clearedAt'] as const) checkTime(name, element, String(machine['zone']), problems)
    parents.set(element.index, {machine, code})
  }
  return parents
}

function findMachine({index, record}: Element, {store, caller}: Call, problems: Problems): AlertMachine | undefined {
  const {machineId, organizationId} = record
  const machine = findAlertMachine(store, toKey(machineId))
  if (!machine || machine['deleted'] === 1) {
    const name = {pointerName: 'machineId', pointer: toPointer(machineId)}
    problems.add('MISSING_RECORD', 'Machine does not exist.', index, name)
    return undefined
  }
  const owner = Number(machine['organization_id'])
  const named = [owner, Number(toKey(organizationId ?? owner))]
  if (named.every((id) => mayAccess(caller, id))) return machine
  problems.add('DATA_ACCESS', foreign, index)
  return undefined
}

function findCode({index, record}: Element, {store}: Call, problems: Problems): Row | undefined {
  const code = store.database.get('SELECT * FROM alert_code WHERE code = ? AND deleted = 0', String(record['code']))
  if (!code) problems.add('MISSING_RECORD', 'Alert code does not exist.', index)
  return code
}

/** `OnlyOneExists`: one open alert of such a code on a machine, also within one set. [seed] */
function checkOnlyOne({index, record}: Element, code: Row, open: Set<string>, {store}: Call, problems: Problems): void {
  if (code['only_one_exists'] !== 1 || isSentCleared(record)) return
  const machine = toKey(record['machineId'])
  const text = String(record['code'])
  const sql = 'SELECT id FROM alert WHERE machine_id = ? AND code = ? AND is_cleared = 0 AND deleted = 0'
  if (open.has(`${machine} ${text}`) || store.database.get(sql, machine, text)) {
    problems.add('ALERT_EXISTS', 'An open alert with this code already exists on this machine.', index)
  }
  open.add(`${machine} ${text}`)
}

function isSentCleared({isCleared, clearedAt}: JsonRecord): boolean {
  return isCleared === true || typeof clearedAt === 'string'
}

function toAlert(id: number, given: JsonRecord, {machine, code}: Parents, now: number): JsonRecord {
  const zone = String(machine['zone'])
  const isCleared = isSentCleared(given)
  return {
    ...emptyAlert,
    id,
    organizationId: Number(machine['organization_id']),
    accountId: Number(machine['account_id']),
    siteId: Number(machine['site_id']),
    machineId: Number(machine['id']),
    machineLocation: given['machineLocation'] ?? String(machine['location'] ?? ''),
    machineProse: String(machine['prose']),
    alertCodeId: Number(code['id']),
    code: String(code['code']),
    message: given['message'] ?? null,
    isCleared,
    ...toTimes('raisedAt', toUtc(given['raisedAt'], now), zone),
    ...(isCleared && toTimes('clearedAt', toUtc(given['clearedAt'], now), zone)),
    alertMetadata: given['alertMetadata'] ?? null,
  }
}
