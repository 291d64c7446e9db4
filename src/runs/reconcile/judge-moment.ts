import type {BootMoment} from '../../core/clock.js'
import {toMilliseconds} from '../../values/date-time.js'
import type {JsonRecord} from '../../values/json.js'
import {foldId} from '../rows/row-content.js'
import {type Judged, type Judgement, judgeRows, type SentSet} from './judgement.js'
import type {SetInDoubt} from './set-in-doubt.js'

export type Moments = {
  /** Records by their folded names. */
  records: Map<string, JsonRecord>
  /** The field that says when a record was last done. */
  field: string
  /** The sending by the clock of the service; undefined where that is not known. */
  sent: SentSpan | undefined
}

/**
 * Looks at records that say when they were last done. One that cannot be read proves nothing: it may be there later. What
 * was done is there for all of a set.
 */
export function judgeMoment(set: SentSet, {records: found, field, sent}: Moments): Judgement {
  const rows = set.records.map((record, index): Judged => {
    const id = record[set.write.target] ?? null
    const now = found.get(foldId(id))
    return {index, id, state: now ? compareTime(record, now, field, sent) : 'missing'}
  })
  return judgeRows(set, rows, {
    done: `with a ${field} later than the request`,
    before: `with a ${field} earlier than the request, or empty`,
    other: `with a later ${field}, but not as sent: done by someone else`,
    missing: 'that this login cannot read',
    close: sent
      ? `with a ${field} too close to the request, or no time`
      : 'whose request has no known time by the clock of the service',
  })
}

function compareTime(record: JsonRecord, now: JsonRecord, field: string, sent: SentSpan | undefined): Judged['state'] {
  const at = now[field] ?? null
  if (at === null || at === '') return 'before'
  const moment = typeof at === 'string' ? toMilliseconds(at) : undefined
  if (moment === undefined || !sent) return 'close'
  if (moment < sent.from) return 'before'
  if (moment < sent.to) return 'close'
  const isAsSent = Object.entries(record).every(
    ([name, value]) => !(name in now) || foldId(value) === foldId(now[name]),
  )
  return isAsSent ? 'done' : 'other'
}

/** Between which moments a set left this machine, by the clock of the service, in milliseconds since 1970. */
export type SentSpan = {from: number; to: number}

/** Finds the span by what the service says its clock shows in an answer that has just come; undefined where it cannot be known. */
export type FindSent = (serverTime: number | undefined) => SentSpan | undefined

/** The date of an answer and the times of records may both be whole seconds. */
const roundingMilliseconds = 2_000

/** The last sending of a set, by the clock of the service. */
export function createFindSent({journal, entry, options}: Pick<SetInDoubt, 'journal' | 'entry' | 'options'>): FindSent {
  const {sent, seq} = entry.part
  const label = journal.events().findLast(({part, to}) => part === seq && to === 'sent')?.at
  return (serverTime) => {
    if (serverTime === undefined) return undefined
    return toSentSpan({sent, label}, {moment: options.moment(), wall: options.clock.now()}, serverTime)
  }
}

type Recorded = {sent: BootMoment | undefined; label: number | undefined}

/**
 * One clock stops while the machine sleeps, the other may be set: the span covers the times of both. After a restart
 * only the one that may be set is left.
 */
export function toSentSpan(
  {sent, label}: Recorded,
  now: {moment: BootMoment; wall: number},
  serverTime: number,
): SentSpan | undefined {
  const isSameBoot = sent?.boot !== undefined && sent.boot === now.moment.boot
  const ages = [
    ...(isSameBoot ? [now.moment.milliseconds - sent.milliseconds] : []),
    ...(label === undefined ? [] : [now.wall - label]),
  ].filter((age) => age >= 0)
  if (ages.length === 0) return undefined
  const toMoment = (age: number) => serverTime - age - roundingMilliseconds
  return {from: toMoment(Math.max(...ages)), to: toMoment(Math.min(...ages))}
}
