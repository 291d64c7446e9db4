import {fieldsOf} from '../../contract/index.js'
import {toDateTime} from '../../values/date-time.js'
import {isRecord, type JsonRecord} from '../../values/json.js'
import {blameRepeated, blameTwice} from '../request/problems.js'
import {refuse, refuseAtGateway} from '../request/refused.js'
import {toKey} from '../store/keys.js'
import {checkSet, type Element} from './check-set.js'
import {
  checkUnique,
  findAll,
  findExisting,
  findMachines,
  findOnly,
  findOwner,
  insertAll,
  moveBelongings,
} from './existing.js'
import type {Call, WriteCall, WriteHandler} from './handler.js'
import {fillNull} from './write-sites.js'

const sentFields = Object.entries(fieldsOf('machine', 'update'))

/** Replaces machines: a field that is left out becomes null [dec]; what is read only stays. Another site moves them. */
export const updateMachines: WriteHandler = (call) => {
  const elements = checkSet(call)
  const machines = findAll('machine', elements, call, (element, machine) => checkMove(element, machine, call))
  for (const {index, record} of elements)
    call.store.update('machine', Number(toKey(record['id'])), {...machines[index], ...toSent(record)})
  return []
}

/** Gives a machine to an organization: it moves to the first site there. [pub], the site is [dec] */
export const provisionMachine: WriteHandler = (call) => {
  const {store, now} = call
  const organization = toKey(findOnly('organizationIds', call))
  const prose = findOnly('machineIdentifiers', call)
  if (store.database.get('SELECT id FROM organization WHERE id = ? AND deleted = 0', organization) === undefined)
    throw refuse('MISSING_RECORD', 'Organization does not exist.', [Number(organization)], 'organizationIds')
  const [machine] = findMachines([prose], call)
  if (!machine || machine['prose'] !== prose)
    throw refuse('MISSING_RECORD', 'No machine has this PROSE serial.', [String(prose)], 'machineIdentifiers')
  const sql = 'SELECT min(id) AS id FROM site WHERE organization_id = ? AND deleted = 0'
  const siteId = store.database.get(sql, organization)?.['id']
  if (typeof siteId !== 'number') throw refuse('GENERIC_ERROR', 'The organization has no site.', [], 'organizationIds')
  countProvisioning(call)
  const id = Number(machine['id'])
  const changes = {siteId, organizationId: Number(organization), provisionedAt: toDateTime(now)}
  store.update('machine', id, {...store.find('machine', id), ...changes})
  moveBelongings(store, [id])
  return []
}

/** The operation has a daily limit of its own, whose day ends at 00:00 UTC. [pub] */
function countProvisioning({store, now, provisionsPerDay}: Call): void {
  const today = toDateTime(now).slice(0, 10)
  const uses = Number(store.database.get('SELECT uses FROM provisioning WHERE day = ?', today)?.['uses'] ?? 0)
  if (uses >= provisionsPerDay) throw refuseAtGateway('LIMIT_EXCEEDED')
  store.database.run('INSERT OR REPLACE INTO provisioning VALUES (?, ?)', today, uses + 1)
}

function checkMove(element: Element, machine: JsonRecord | undefined, call: WriteCall): void {
  if (!machine || !element.isSound) return
  const owner = findOwner('site', 'siteId', element, call)
  if (owner === undefined || owner === Number(toKey(machine['organizationId']))) return
  call.problems.add('GENERIC_ERROR', 'siteId names a site of another organization.', element.index)
}

function toSent(record: JsonRecord): JsonRecord {
  const {id: _id, ...sent} = Object.fromEntries(
    sentFields.map(([name, {fields}]) => {
      const value = record[name] ?? null
      return [name, fields && isRecord(value) ? fillNull(value, Object.keys(fields)) : value]
    }),
  )
  return sent
}

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
    problems.add('GENERIC_ERROR', 'A machine and type appear more than once in the set.', index),
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
  if (toKey(current['machineId']) !== toKey(record['machineId']) || current['type'] !== record['type'])
    problems.add('GENERIC_ERROR', 'machineId and type of a setting cannot change.', index)
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
