import type {BootMoment} from '../core/clock.js'
import {type Bucket, drain, type Landings, refill, takeTurn} from './bucket.js'
import {type Hours, hourOf, nextTurn, roomAt, useOf} from './day-use.js'
import type {Ask, Ledger, LedgerState, RunUse, Turn} from './ledger-types.js'
import {isRefused, type Lessons, learnAccepted, learnQuota, learnThrottle} from './lessons.js'

/** Everything that is known of a key. */
export type Account = {bucket: Bucket | undefined; hours: Hours; lessons: Lessons}

/** Where an account is kept: in a file of all processes, or in the memory of one. */
export type Book = {
  readonly is: Ledger['is']
  /** All of the work is kept, or none of it; no other process sees or changes the account meanwhile. */
  transaction<Result>(work: () => Result): Result
  read(): Account
  writeBucket(bucket: Bucket): void
  writeLessons(lessons: Lessons): void
  /** Counts requests of this process in an hour; takes them back below 0. */
  count(hour: number, requests: number): void
  /** When the requests that are still kept have arrived at the latest, the earliest first. */
  landings(): Landings
  /** Notes a request that arrives until then at the latest; its number. */
  startFlight(until: number): number
  /** It has arrived at this moment. */
  landFlight(flight: number, milliseconds: number): void
  /** It was not sent. */
  endFlight(flight: number): void
  /** Forgets the requests that have arrived by this moment. */
  forgetFlights(milliseconds: number): void
  runs(): RunUse[]
  nameRun(runId: string): void
  close(): void
}

export type Times = {
  /** On the clock that all processes share and that never jumps. */
  moment: () => BootMoment
  /** Milliseconds since 1970; for the hours of the day only. */
  now: () => number
}

/** The ledger over a book. */
export function createLedger(book: Book, {moment, now}: Times): Ledger {
  const learn = (change: (lessons: Lessons) => Lessons) =>
    book.transaction(() => {
      const {lessons} = book.read()
      const next = change(lessons)
      if (next !== lessons) book.writeLessons(next)
    })

  return {
    is: book.is,
    take: (ask) => book.transaction(() => take(book, ask, {moment, now})),
    land: (turn) => void (turn.granted && book.landFlight(turn.flight, moment().milliseconds)),
    giveBack: (turn) => book.transaction(() => giveBack(book, turn)),
    learnThrottle: () => book.transaction(() => throttle(book, moment())),
    learnQuota: (wait) => learn((lessons) => learnQuota(lessons, now(), wait)),
    forgetRefusal: () =>
      book.transaction(() => {
        const {refusal, ...lessons} = book.read().lessons
        if (refusal) book.writeLessons(lessons)
        return refusal !== undefined
      }),
    learnAccepted: () => learn((lessons) => learnAccepted(lessons, now())),
    read: () => describe(book.read(), moment(), now()),
    runs: () => book.runs(),
    nameRun: (runId) => book.nameRun(runId),
    close: () => book.close(),
  }
}

/** A request that has not arrived so long after its turn will not. */
const longestFlightMilliseconds = 10_000

/** The time is asked for here, within the transaction: one that waited for others must not look like a step back. */
function take(book: Book, ask: Ask, {moment, now}: Times): Turn {
  const account = book.read()
  const wall = now()
  if (usedOf(account, wall)(ask.perDay) >= ask.perDay - ask.floor) return {granted: false}
  const hour = hourOf(wall)
  const at = moment()
  if (!isOfThisStart(account.bucket, at)) book.forgetFlights(Number.POSITIVE_INFINITY)
  const {bucket, waitMilliseconds} = takeTurn(refill(account.bucket, at, ask, book.landings()), ask)
  book.forgetFlights(at.milliseconds)
  book.writeBucket(bucket)
  book.count(hour, 1)
  const flight = book.startFlight(at.milliseconds + waitMilliseconds + longestFlightMilliseconds)
  return {granted: true, waitMilliseconds, hour, flight}
}

/** Not every system names its starts: on such a one the clock is behind after another. */
function isOfThisStart(bucket: Bucket | undefined, {boot, milliseconds}: BootMoment): bucket is Bucket {
  return bucket !== undefined && bucket.boot === boot && bucket.milliseconds <= milliseconds
}

/** The token goes back, too: turns that others wait for stay as they are, so that nobody goes earlier than allowed. */
function giveBack(book: Book, turn: Turn): void {
  if (!turn.granted) return
  const {bucket} = book.read()
  if (bucket) book.writeBucket({...bucket, tokens: bucket.tokens + 1})
  book.count(turn.hour, -1)
  book.endFlight(turn.flight)
}

function throttle(book: Book, moment: BootMoment): void {
  const {bucket, lessons} = book.read()
  const isSameStart = bucket?.boot === moment.boot
  const known = isSameStart ? lessons : {...lessons, throttles: []}
  const {lessons: next, slowUntil} = learnThrottle(known, moment.milliseconds)
  book.writeLessons(next)
  if (!bucket || !isSameStart) return
  book.writeBucket({...drain(bucket), ...(slowUntil !== undefined && {slowUntil})})
}

function usedOf({hours, lessons}: Account, now: number): LedgerState['used'] {
  const {today, trailing} = useOf(hours, now, lessons.turn)
  const counted = Math.max(today, trailing)
  return isRefused(lessons, now) ? (perDay) => Math.max(counted, perDay) : () => counted
}

function describe(account: Account, moment: BootMoment, now: number): LedgerState {
  const {bucket, hours, lessons} = account
  const {today, trailing} = useOf(hours, now, lessons.turn)
  const {refusal, turn} = lessons
  const refused = isRefused(lessons, now)
  return {
    usedToday: today,
    usedTrailing: trailing,
    used: usedOf(account, now),
    roomAt: (requests) => Math.max(refused ? (refusal?.until ?? 0) : 0, roomAt(hours, now, turn, requests)),
    hours,
    resetAt: refused && refusal ? refusal.until : nextTurn(now, turn),
    resetIs: refused && refusal ? refusal.is : turn.is,
    refused,
    everRefused: refusal !== undefined,
    slow: isOfThisStart(bucket, moment) && bucket.slowUntil > moment.milliseconds,
  }
}
