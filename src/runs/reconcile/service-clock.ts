import type {BootMoment} from '../../core/clock.js'
import type {SetInDoubt} from './set-in-doubt.js'

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
 * One clock stands still while the machine sleeps, the other may be set: the span holds what both of them say. After a
 * restart only the one that may be set is left.
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
