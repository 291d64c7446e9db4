import {type Bucket, emptyBucket} from './bucket.js'
import {type Hours, hourOf} from './day-use.js'
import {createLedger, type Times} from './ledger.js'
import type {Ledger} from './ledger-types.js'
import {type Lessons, noLessons} from './lessons.js'

export type Before = {
  /** Requests that this process has sent already. */
  used: number
  /** The bucket of a key in use is taken for empty. */
  isEmpty: boolean
}

/** A ledger of this process alone, which is gone when it ends. */
export function createMemoryLedger(times: Times, before: Before = {used: 0, isEmpty: false}): Ledger {
  const hours = new Map<number, number>()
  let bucket: Bucket | undefined = before.isEmpty ? emptyBucket(times.moment()) : undefined
  let lessons: Lessons = noLessons
  const count = (hour: number, requests: number) => void hours.set(hour, (hours.get(hour) ?? 0) + requests)
  const flights = new Map<number, number>()
  let lastFlight = 0
  if (before.used > 0) count(hourOf(times.now()), before.used)

  return createLedger(
    {
      is: 'estimated',
      transaction: (work) => work(),
      read: () => ({bucket, hours: [...hours] as Hours, lessons}),
      writeBucket: (next) => {
        bucket = next
      },
      writeLessons: (next) => {
        lessons = next
      },
      count,
      landings: () => [...flights.values()].sort((a, b) => a - b),
      startFlight: (until) => {
        lastFlight += 1
        flights.set(lastFlight, until)
        return lastFlight
      },
      landFlight: (flight, milliseconds) => {
        const until = flights.get(flight)
        if (until !== undefined) flights.set(flight, Math.min(until, milliseconds))
      },
      endFlight: (flight) => void flights.delete(flight),
      forgetFlights: (milliseconds) => {
        for (const [flight, until] of flights) if (until <= milliseconds) flights.delete(flight)
      },
      runs: () => [],
      nameRun: () => undefined,
      close: () => undefined,
    },
    times,
  )
}
