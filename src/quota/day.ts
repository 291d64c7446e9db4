import {millisecondsPerHour} from '../values/date-time.js'
/** Requests by hour since 1970. */
export type Hours = readonly (readonly [hour: number, requests: number])[]

const hoursPerDay = 24

export function hourOf(now: number): number {
  return Math.floor(now / millisecondsPerHour)
}

/** The next midnight UTC, when the service is assumed to count anew; milliseconds since 1970. */
export function nextReset(now: number): number {
  return firstHourOfDay(now + hoursPerDay * millisecondsPerHour) * millisecondsPerHour
}

function firstHourOfDay(now: number): number {
  const hour = hourOf(now)
  return hour - (hour % hoursPerDay)
}

/** The oldest hour that counts: of the last 24, the present one included. */
export function oldestHour(now: number): number {
  return hourOf(now) - hoursPerDay + 1
}

/**
 * Use of the day and of the last 24 clock hours. Hours that lie ahead, because the clock was set back, count; more than
 * a day ahead the clock was wrong.
 */
export function useOf(hours: Hours, now: number): {today: number; trailing: number} {
  const furthest = hourOf(now) + hoursPerDay
  const since = (first: number) =>
    hours.reduce((sum, [hour, requests]) => (hour >= first && hour <= furthest ? sum + requests : sum), 0)
  return {today: since(firstHourOfDay(now)), trailing: since(oldestHour(now))}
}

/** No hour counts longer than this, not even one that lies ahead. */
const longestHours = 2 * hoursPerDay + 1

/** The hour from which fewer requests than these count, if none is sent until then; in milliseconds since 1970. */
export function roomAt(hours: Hours, now: number, requests: number): number {
  const next = hourOf(now) + 1
  for (let hour = next; hour < next + longestHours; hour++)
    if (useOf(hours, hour * millisecondsPerHour).trailing < requests) return hour * millisecondsPerHour

  return (next + longestHours) * millisecondsPerHour
}

/** Adds requests to an hour, and forgets the hours that no longer count. */
export function addRequests(hours: Hours, hour: number, requests: number, now: number): Hours {
  const oldest = oldestHour(now)
  const known = new Map(hours.filter(([one]) => one >= oldest))
  return [...known.set(hour, (known.get(hour) ?? 0) + requests)].sort(([one], [other]) => one - other)
}
