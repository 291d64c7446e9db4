import {counted} from '../../values/counted.js'
import {toMilliseconds} from '../../values/date-time.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {alertKey} from '../plan/matching-alerts.js'
import {keyOf} from '../plan/read-current.js'
import {foundAsSent, type Judgement, type RowFinding, type Sent} from './judgement.js'

/** Services may keep whole seconds. */
const roundingMilliseconds = 999

/**
 * Looks for created alerts among those of the same machines and codes. Nothing names an alert, so that each one that is
 * new counts once, and more of them than were sent prove nothing. One that could be ours but for its message, which
 * anybody may change, proves nothing either.
 */
export function judgeAlerts({records, known, whole}: Sent, found: readonly JsonRecord[]): Judgement {
  const fresh = found.filter(({id}) => !known.has(keyOf(id)))
  const left = groupByKey(fresh)
  const matched = match(records, left)
  const done = matched.filter((alert) => alert !== undefined)
  const surplus = records.flatMap((record) => takeAll(left, record, isLikeSent))
  const rest = [...matched.keys()].filter((index) => matched[index] === undefined)
  const similar = rest.map((index) => toFinding(index, records[index] ?? {}, left))

  if (done.length === records.length && surplus.length === 0 && whole) {
    const evidence = foundAsSent(records.length, 'alert')
    return {kind: 'applied', ids: done.map(({id = null}) => id), evidence}
  }
  if (done.length === 0 && surplus.length === 0 && similar.every(({id}) => id === undefined)) {
    return {kind: 'none', final: false, evidence: `none of ${counted(records.length, 'alert')} found`}
  }
  const rows = rest.length > 0 ? similar : matched.map((alert, index) => ({index, id: alert?.['id']}))
  return {kind: 'unclear', rows, evidence: describe(records.length, done.length, surplus, similar)}
}

function describe(sent: number, done: number, surplus: JsonRecord[], similar: RowFinding[]): string {
  const changed = similar.filter(({id}) => id !== undefined).length
  if (surplus.length > 0) {
    const ids = surplus.slice(0, 20).map(({id}) => keyOf(id))
    return `${done + surplus.length} alerts like the ${sent} that were sent, so some are doubled or of someone else: ids beyond the first ${done}: ${ids.join(', ')}`
  }
  if (done === sent)
    return `${counted(sent, 'alert')} like these found, but there were too many before to know which are new`
  const other = changed > 0 ? `, ${changed} with another message` : ''
  return `of ${counted(sent, 'alert')}: ${done} as sent${other}, ${sent - done - changed} not found; a set is applied whole or not at all, so someone else had a hand in it`
}

type Groups = Map<string, JsonRecord[]>

function groupByKey(alerts: readonly JsonRecord[]): Groups {
  const groups: Groups = new Map()
  for (const alert of alerts) {
    const group = groups.get(alertKey(alert))
    if (group) group.push(alert)
    else groups.set(alertKey(alert), [alert])
  }

  return groups
}

/** An alert for each row that has one; those that name their time choose first, because they fit fewer. */
function match(records: readonly JsonRecord[], left: Groups): (JsonRecord | undefined)[] {
  const matched = new Array<JsonRecord | undefined>(records.length).fill(undefined)
  const timed = [...records.keys()].filter((index) => hasTime(records[index] ?? {}))
  const others = [...records.keys()].filter((index) => !hasTime(records[index] ?? {}))
  for (const index of [...timed, ...others]) matched[index] = take(left, records[index] ?? {}, isLikeSent)
  return matched
}

type Fits = (sent: JsonRecord, alert: JsonRecord) => boolean

function take(left: Groups, sent: JsonRecord, fits: Fits): JsonRecord | undefined {
  const group = left.get(alertKey(sent)) ?? []
  const at = group.findIndex((alert) => fits(sent, alert))
  return at === -1 ? undefined : group.splice(at, 1)[0]
}

function takeAll(left: Groups, sent: JsonRecord, fits: Fits): JsonRecord[] {
  const taken: JsonRecord[] = []
  for (let alert = take(left, sent, fits); alert; alert = take(left, sent, fits)) taken.push(alert)
  return taken
}

function toFinding(index: number, sent: JsonRecord, left: Groups): RowFinding {
  const alert = take(left, sent, couldBe)
  if (!alert) return {index}
  const {id = null, message: found = null} = alert
  return {index, id, fields: [{field: 'message', expected: sent['message'] ?? null, found}]}
}

/** As it was sent; an alert that was sent open may have been cleared since. */
function isLikeSent(sent: JsonRecord, alert: JsonRecord): boolean {
  const wasCleared = sent['isCleared'] === true || typeof sent['clearedAt'] === 'string'
  return couldBe(sent, alert) && alert['message'] === sent['message'] && (!wasCleared || alert['isCleared'] === true)
}

/** Alike in all that nobody can change later. */
function couldBe(sent: JsonRecord, alert: JsonRecord): boolean {
  return isSameTime(sent['raisedAt'], alert['raisedAtServerTime']) && isSameFact(sent, alert)
}

function hasTime({raisedAt}: JsonRecord): boolean {
  return typeof raisedAt === 'string'
}

/** A time that is sent is UTC, which an alert keeps as its server time. [seed] */
function isSameTime(sent: JsonValue | undefined, kept: JsonValue | undefined): boolean {
  if (typeof sent !== 'string' || typeof kept !== 'string') return true
  const [one, other] = [toMilliseconds(sent), toMilliseconds(kept)]
  return one === undefined || other === undefined || Math.abs(one - other) <= roundingMilliseconds
}

function isSameFact({alertMetadata: sent = null}: JsonRecord, {alertMetadata: kept = null}: JsonRecord): boolean {
  if (!isRecord(sent)) return true
  return isRecord(kept) && printFact(sent) === printFact(kept)
}

function printFact(fact: JsonRecord): string {
  return printJson([fact['key'] ?? null, fact['value'] ?? null])
}
