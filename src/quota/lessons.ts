import {type DayTurn, hourOf, millisecondsPerHour, nextTurn} from './day-use.js'

/** A refusal for want of requests: when it came, and until when nothing is asked. Milliseconds since 1970. */
export type Refusal = {at: number; until: number; is: 'assumed' | 'learned'; probing: boolean}

/** What the service taught about its limits. */
export type Lessons = {
  turn: DayTurn
  refusal?: Refusal | undefined
  /** Moments of the last throttles, in milliseconds since this start of the machine. */
  throttles: readonly number[]
}

export const noLessons: Lessons = {turn: {hour: 0, is: 'assumed'}, throttles: []}

const throttleWindow = 60_000
const throttlesToSlowDown = 3
const slowMilliseconds = 600_000
/** No day is longer; what says more is of a clock that was wrong, or nonsense. */
const longestMilliseconds = 25 * millisecondsPerHour

/** Three throttles in a minute halve the rate for ten minutes; `slowUntil` is given then. */
export function learnThrottle(lessons: Lessons, moment: number): {lessons: Lessons; slowUntil?: number} {
  const recent = lessons.throttles.filter((one) => one <= moment && moment - one < throttleWindow)
  const throttles = [...recent, moment]
  if (throttles.length < throttlesToSlowDown) return {lessons: {...lessons, throttles}}
  return {lessons: {...lessons, throttles: []}, slowUntil: moment + slowMilliseconds}
}

/**
 * Nothing is asked until the service said, or until the day is assumed to turn. Refused again after that, the
 * assumption was wrong: then one request an hour finds out.
 */
export function learnQuota(lessons: Lessons, now: number, wait: number | undefined): Lessons {
  const {turn, refusal} = lessons
  if (refusal && isRefused(lessons, now)) return lessons
  if (wait !== undefined && wait > 0 && wait <= longestMilliseconds) {
    return {...lessons, refusal: {at: now, until: now + wait, is: 'learned', probing: false}}
  }

  const probing = refusal !== undefined
  const until = probing ? now + millisecondsPerHour : nextTurn(now, turn)
  return {...lessons, refusal: {at: now, until, is: probing ? 'assumed' : turn.is, probing}}
}

/** A request that is taken after a refusal says when the day turned, where that was within about an hour. */
export function learnAccepted(lessons: Lessons, now: number): Lessons {
  const {turn, refusal, throttles} = lessons
  if (!refusal || isRefused(lessons, now)) return lessons
  const isKnown = refusal.is === 'learned' || (refusal.probing && now - refusal.at <= 2 * millisecondsPerHour)
  const at = refusal.is === 'learned' ? refusal.until : now
  return {throttles, turn: isKnown ? {hour: hourOf(at) % 24, is: 'learned'} : turn}
}

/** Whether the service said that the day's requests are used up, and the day has not turned since. */
export function isRefused({refusal}: Lessons, now: number): boolean {
  return refusal !== undefined && now < refusal.until && refusal.until - now <= longestMilliseconds
}
