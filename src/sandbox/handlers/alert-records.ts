import type {Row} from '../../core/sqlite.js'
import {toDateTime} from '../../values/date-time.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {toLocalTime} from '../../values/zones.js'
import {findMoment, isDateTime} from '../request/dates.js'
import type {Problems} from '../request/problems.js'
import {toKey} from '../store/keys.js'
import type {Columns, Store} from '../store/record-store.js'
import type {Element} from './check-set.js'

/** A machine with what an alert takes over from it. */
export type AlertMachine = Row

/** The machine that an alert is about, with its site, account, organization and time zone; it may be a deleted one. */
export function findAlertMachine({database}: Store, id: number | bigint): AlertMachine | undefined {
  return database.get(
    `SELECT machine.id, machine.deleted, machine.organization_id, machine.account_id, machine.site_id, machine.prose,
      site.name AS location, coalesce(site.time_zone, organization.time_zone, 'UTC') AS zone
     FROM machine LEFT JOIN site ON site.id = machine.site_id
     LEFT JOIN organization ON organization.id = machine.organization_id
     WHERE machine.id = ?`,
    id,
  )
}

/** The columns an alert is searched by. */
export function toAlertColumns(alert: JsonRecord): Columns {
  return {
    organization_id: toKey(alert['organizationId']),
    site_id: alert['siteId'] === null ? null : toKey(alert['siteId']),
    machine_id: toKey(alert['machineId']),
    code: String(alert['code']),
    is_cleared: alert['isCleared'] === true ? 1 : 0,
    local_at: findMoment(String(alert['raisedAt']))?.time ?? 0,
  }
}

/** A time that a client sent, as UTC milliseconds [seed]; now when it sent none. */
export function toUtc(value: JsonValue | undefined, now: number): number {
  return typeof value === 'string' ? (findMoment(value)?.time ?? now) : now
}

/** A time near an end of the calendar has no local time in every zone; such an element is blamed. */
export function checkTime(name: 'raisedAt' | 'clearedAt', element: Element, zone: string, problems: Problems): void {
  const sent = element.record[name]
  if (isDateTime(toLocalTime(toUtc(sent, 0), zone))) return
  problems.add('DATE_PARSING', `${name} lies outside the years 1 to 9999 in the time of the machine.`, element.index)
}

/** A time of an alert, twice: in the local time of the machine under its name, and in server time, UTC. [seed] */
export function toTimes(name: 'raisedAt' | 'clearedAt', utc: number, zone: string): JsonRecord {
  return {[name]: toDateTime(toLocalTime(utc, zone)), [`${name}ServerTime`]: toDateTime(utc)}
}
