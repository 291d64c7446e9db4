import type {JsonRecord} from '../../values/json.js'
import {findListFilter} from '../request/given-filters.js'
import {blameRepeated, createProblems, nameById, type Problems} from '../request/problems.js'
import {refuse, toPointer} from '../request/refusal.js'
import {toKey} from '../store/keys.js'
import {checkTime, findAlertMachine, toAlertColumns, toTimes, toUtc} from './alert-records.js'
import {checkSet, type Element, isInteger} from './check-set.js'
import {foreign, mayAccess} from './data-access.js'
import type {Call, WriteHandler} from './handler.js'
import {findInAll} from './named-by-filter.js'

/** Changes message, isCleared and clearedAt of alerts; answers the changed records in the order of the request. [pub] */
export const updateAlerts: WriteHandler = (call) => {
  const {body} = call.request
  const problems = createProblems(nameById(body))
  const elements = checkSet(call, problems)
  const alerts = new Map(elements.map((element) => [element.index, findAlert(element, call, problems)]))
  for (const element of elements) checkChange(element, alerts.get(element.index), call, problems)
  blameRepeated(
    elements.map(({record}) => record['id']),
    problems,
  )
  problems.throwIfAny()
  return elements.map(({index, record}) => changeAlert(alerts.get(index) ?? {}, record, call))
}

/** Clears alerts by id, also those of codes that people clear in the user interface. [seed] */
export const clearAlerts: WriteHandler = (call) => {
  const ids = findInAll(findListFilter(call.request, 'alertIds'))
  if (ids.length === 0) {
    throw refuse('MISSING_REQUIRED_DATA', 'routeFilter.alertIds must name at least one alert.', ['alertIds'], 'name')
  }
  const problems = createProblems((index) => ({pointerName: 'id', pointer: toPointer(ids[index])}))
  const alerts = ids.map((id, index) => findAlert({index, record: {id}, isSound: true}, call, problems))
  for (const [index, alert] of alerts.entries()) {
    if (alert?.['isCleared'] === true) problems.add('ALREADY_CLEARED', 'The alert is cleared already.', index)
  }
  blameRepeated(ids, problems)
  problems.throwIfAny()
  for (const alert of alerts) changeAlert(alert ?? {}, {isCleared: true}, call)
  return []
}

function findAlert({index, record}: Element, {store, caller}: Call, problems: Problems): JsonRecord | undefined {
  if (!isInteger(record['id'])) return undefined
  const alert = store.find('alert', toKey(record['id']))
  if (!alert) problems.add('MISSING_RECORD', 'Alert does not exist.', index)
  else if (!mayAccess(caller, Number(alert['organizationId']))) {
    problems.add('DATA_ACCESS', foreign, index)
  }
  return alert
}

function checkChange(element: Element, alert: JsonRecord | undefined, {store}: Call, problems: Problems): void {
  if (!alert) return
  checkTime('clearedAt', element, findZone(store, alert), problems)
  if (alert['isCleared'] === true && isUnclearing(element.record)) {
    problems.add('GENERIC_ERROR', 'An alert that is cleared cannot be uncleared.', element.index)
  }
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
  store.update('alert', Number(alert['id']), changed, toAlertColumns(changed))
  return changed
}

function findZone(store: Call['store'], alert: JsonRecord): string {
  return String(findAlertMachine(store, toKey(alert['machineId']))?.['zone'] ?? 'UTC')
}
