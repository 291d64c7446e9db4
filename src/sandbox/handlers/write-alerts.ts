import {fieldsOf} from '../../contract/index.js'
import type {Row} from '../../core/sqlite.js'
import {toDateTime} from '../../values/date-time.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {toLocalTime} from '../../values/zones.js'
import {findListFilter} from '../request/given-filters.js'
import {createProblems} from '../request/problems.js'
import {refuse, toPointer} from '../request/refused.js'
import {findMoment, isDateTime} from '../store/dates.js'
import {toKey} from '../store/keys.js'
import {zoneOfMachine} from '../store/store-tables.js'
import {checkSet, type Element} from './check-set.js'
import {findAll, findInAll, findOwner, insertAll} from './existing.js'
import type {Call, WriteCall, WriteHandler} from './handler.js'
import {foreign, mayAccess} from './read-conditions.js'

const emptyAlert = Object.fromEntries(Object.keys(fieldsOf('alert', 'read')).map((name) => [name, null]))

type Parents = {machine: Row; code: Row; zone: string}

/** Creates alerts; answers their ids in the order of the request. */
export const createAlerts: WriteHandler = (call) => {
  const elements = checkSet(call)
  const parents = findParents(elements, call)
  call.problems.throwIfAny()
  return insertAll('alert', elements, call, (id, {index, record}) => {
    return toAlert(id, record, parents.get(index) as Parents, call.now)
  })
}

function findParents(elements: Element[], call: WriteCall): Map<number, Parents> {
  const open = new Set<string>()
  const parents = new Map<number, Parents>()
  for (const element of elements.filter(({isSound}) => isSound)) {
    const machine = findMachine(element, call)
    const code = findCode(element, call)
    if (!machine || !code) continue
    checkOnlyOne(element, code, open, call)
    const zone = zoneOfMachine(call.store.database, Number(machine['id']))
    for (const name of ['raisedAt', 'clearedAt'] as const) checkTime(name, element, zone, call)
    parents.set(element.index, {machine, code, zone})
  }
  return parents
}

function findMachine(element: Element, call: WriteCall): Row | undefined {
  const {machineId, organizationId} = element.record
  const owner = findOwner('machine', 'machineId', element, call)
  if (owner === undefined) return undefined
  if (!mayAccess(call.caller, Number(toKey(organizationId ?? owner)))) {
    call.problems.add('DATA_ACCESS', foreign, element.index)
    return undefined
  }
  const sql = `SELECT machine.*, site.name AS location FROM machine LEFT JOIN site ON site.id = machine.site_id
    WHERE machine.id = ?`
  return call.store.database.get(sql, toKey(machineId))
}

function findCode({index, record}: Element, {store, problems}: WriteCall): Row | undefined {
  const code = store.database.get('SELECT * FROM alert_code WHERE code = ? AND deleted = 0', String(record['code']))
  if (!code) problems.add('MISSING_RECORD', 'Alert code does not exist.', index)
  return code
}

/** `OnlyOneExists`: one open alert of such a code on a machine, also within one set. [seed] */
function checkOnlyOne({index, record}: Element, code: Row, open: Set<string>, {store, problems}: WriteCall): void {
  if (code['only_one_exists'] !== 1 || isSentCleared(record)) return
  const machine = toKey(record['machineId'])
  const text = String(record['code'])
  const sql = 'SELECT id FROM alert WHERE machine_id = ? AND code = ? AND is_cleared = 0 AND deleted = 0'
  if (open.has(`${machine} ${text}`) || store.database.get(sql, machine, text))
    problems.add('ALERT_EXISTS', 'An open alert with this code already exists on this machine.', index)
  open.add(`${machine} ${text}`)
}

function isSentCleared({isCleared, clearedAt}: JsonRecord): boolean {
  return isCleared === true || typeof clearedAt === 'string'
}

function toAlert(id: number, given: JsonRecord, {machine, code, zone}: Parents, now: number): JsonRecord {
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

/** Changes message, isCleared and clearedAt of alerts; answers the changed records in the order of the request. [pub] */
export const updateAlerts: WriteHandler = (call) => {
  const elements = checkSet(call)
  const alerts = findAll('alert', elements, call, (element, alert) => checkChange(element, alert, call))
  return elements.map(({index, record}) => changeAlert(alerts[index] ?? {}, record, call))
}

/** Clears alerts by id, also those of codes that people clear in the user interface. [seed] */
export const clearAlerts: WriteHandler = (given) => {
  const ids = findInAll(findListFilter(given.request, 'alertIds'))
  if (ids.length === 0)
    throw refuse('MISSING_REQUIRED_DATA', 'routeFilter.alertIds must name at least one alert.', ['alertIds'], 'name')
  const problems = createProblems((index) => ({pointerName: 'id', pointer: toPointer(ids[index])}))
  const call = {...given, problems}
  const elements = ids.map((id, index) => ({index, record: {id}, isSound: true}))
  const alerts = findAll('alert', elements, call, ({index}, alert) => {
    if (alert?.['isCleared'] === true) problems.add('ALREADY_CLEARED', 'The alert is cleared already.', index)
  })
  for (const alert of alerts) changeAlert(alert, {isCleared: true}, call)
  return []
}

function checkChange(element: Element, alert: JsonRecord | undefined, call: WriteCall): void {
  if (!alert) return
  checkTime('clearedAt', element, findZone(call.store, alert), call)
  if (alert['isCleared'] === true && isUnclearing(element.record))
    call.problems.add('GENERIC_ERROR', 'An alert that is cleared cannot be uncleared.', element.index)
}

/** An alert is never uncleared; a time of clearing clears, whatever isCleared says. [pub] */
function isUnclearing({isCleared, clearedAt}: JsonRecord): boolean {
  return typeof clearedAt !== 'string' && (isCleared === false || (clearedAt === null && isCleared !== true))
}

function changeAlert(alert: JsonRecord, given: JsonRecord, {store, now}: Call): JsonRecord {
  const {message, isCleared, clearedAt} = given
  const isSetCleared = typeof clearedAt === 'string' || (isCleared === true && alert['isCleared'] !== true)
  const changed = {
    ...alert,
    ...(message !== undefined && {message}),
    ...(isSetCleared && {isCleared: true, ...toTimes('clearedAt', toUtc(clearedAt, now), findZone(store, alert))}),
  }
  store.update('alert', Number(alert['id']), changed)
  return changed
}

function findZone(store: Call['store'], alert: JsonRecord): string {
  return zoneOfMachine(store.database, toKey(alert['machineId']))
}

/** A time that a client sent, as UTC milliseconds [seed]; now when it sent none. */
function toUtc(value: JsonValue | undefined, now: number): number {
  return typeof value === 'string' ? (findMoment(value)?.time ?? now) : now
}

/** A time near an end of the calendar has no local time in every zone; such an element is blamed. */
function checkTime(name: 'raisedAt' | 'clearedAt', element: Element, zone: string, {problems}: WriteCall): void {
  const sent = element.record[name]
  if (isDateTime(toLocalTime(toUtc(sent, 0), zone))) return
  problems.add('DATE_PARSING', `${name} lies outside the years 1 to 9999 in the time of the machine.`, element.index)
}

/** A time of an alert, twice: in the local time of the machine under its name, and in server time, UTC. [seed] */
export function toTimes(name: 'raisedAt' | 'clearedAt', utc: number, zone: string): JsonRecord {
  return {[name]: toDateTime(toLocalTime(utc, zone)), [`${name}ServerTime`]: toDateTime(utc)}
}
