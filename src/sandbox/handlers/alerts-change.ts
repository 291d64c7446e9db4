import {isNumber, type JsonRecord} from '../../values/json.js'
import {checkSet, type Element} from '../check-set.js'
import {foreign, mayAccess} from '../data-access.js'
import {findListFilter} from '../filters.js'
import {toKey} from '../keys.js'
import {createProblems, nameById, type Problems} from '../problems.js'
import {refuse} from '../refusal.js'
import {findAlertMachine, toAlertColumns, toTimes, toUtc} from './alert-records.js'
import type {Call, WriteHandler} from './handler.js'
import {checkDistinct} from './sites.js'

/** Changes message, isCleared and clearedAt of alerts; answers the changed records in the order of the request. [pub] */
export const updateAlerts: WriteHandler = (call) => {
  const {body} = call.request
  const problems = createProblems(nameById(body))
  const elements = checkSet(body, 'alert', 'update', problems)
  const alerts = new Map(elements.map((element) => [element.index, findAlert(element, call, problems)]))
  for (const element of elements) checkUncleared(element, alerts.get(element.index), problems)
  problems.throwIfAny()
  checkDistinct(elements.map(({record}) => toKey(record['id'])))
  return elements.map(({index, record}) => changeAlert(alerts.get(index) ?? {}, record, call))
}

/** Clears alerts by id, also those of codes that people clear in the user interface. [seed] */
export const clearAlerts: WriteHandler = (call) => {
  const asked = findListFilter(call.request, 'alertIds')
  if (asked === undefined) {
    throw refuse('MISSING_REQUIRED_DATA', 'routeFilter.alertIds must name at least one alert.', ['alertIds'], 'name')
  }
  const ids = JSON.parse(asked) as number[]
  const problems = createProblems((index) => ({pointerName: 'id', pointer: ids[index] ?? index}))
  const alerts = ids.map((id, index) => findAlert({index, record: {id}, isSound: true}, call, problems))
  for (const [index, alert] of alerts.entries()) {
    if (alert?.['isCleared'] === true) problems.add('ALREADY_CLEARED', 'The alert is cleared already.', index)
  }
  problems.throwIfAny()
  checkDistinct(ids)
  for (const alert of alerts) changeAlert(alert ?? {}, {isCleared: true}, call)
  return []
}

function findAlert({index, record}: Element, {store, caller}: Call, problems: Problems): JsonRecord | undefined {
  if (!isNumber(record['id'])) return undefined
  const alert = store.find('alert', toKey(record['id']))
  if (!alert) problems.add('MISSING_RECORD', 'Alert does not exist.', index)
  else if (!mayAccess(caller, Number(alert['organizationId']))) {
    problems.add('DATA_ACCESS', foreign, index)
  }
  return alert
}

/** An alert is never uncleared. [pub] */
function checkUncleared({index, record}: Element, alert: JsonRecord | undefined, problems: Problems): void {
  if (alert?.['isCleared'] !== true) return
  const {isCleared, clearedAt} = record
  if (isCleared !== false && (clearedAt !== null || isCleared === true)) return
  problems.add('GENERIC_ERROR', 'An alert that is cleared cannot be uncleared.', index)
}

function changeAlert(alert: JsonRecord, given: JsonRecord, {store, now}: Call): JsonRecord {
  const {message, isCleared, clearedAt} = given
  const isSetCleared = typeof clearedAt === 'string' || (isCleared === true && alert['isCleared'] !== true)
  const changed = {
    ...alert,
    ...(message !== undefined && {message}),
    ...(isSetCleared && {isCleared: true, ...toTimes('clearedAt', toUtc(clearedAt, now), findZone(store, alert))}),
  }
  store.update('alert', Number(alert['id']), changed, toAlertColumns(changed))
  return changed
}

function findZone(store: Call['store'], alert: JsonRecord): string {
  return String(findAlertMachine(store, toKey(alert['machineId']))?.['zone'] ?? 'UTC')
}
