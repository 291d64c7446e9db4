/** Requests by hour since 1970. */
export type Hours = readonly (readonly [hour: number, requests: number])[]

/** When the requests of a day are counted anew: an hour of the day, UTC. */
export type DayTurn = {hour: number; is: 'assumed' | 'learned'}

export const millisecondsPerHour = 3_600_000
const hoursPerDay = 24

export function hourOf(now: number): number {
  return Math.floor(now / millisecondsPerHour)
}

/** The first hour of the day that now is in. */
export function firstHourOf(now: number, turn: DayTurn): number {
  const sinceTurn = hourOf(now) - turn.hour
  return sinceTurn - (((sinceTurn % hoursPerDay) + hoursPerDay) % hoursPerDay) + turn.hour
}

/** When the day turns next; milliseconds since 1970. */
export function nextTurn(now: number, turn: DayTurn): number {
  return (firstHourOf(now, turn) + hoursPerDay) * millisecondsPerHour
}

/** The oldest hour that still counts: of the last 24, the present one included. */
export function oldestHour(now: number): number {
  return hourOf(now) - hoursPerDay + 1
}

/**
 * Use since the day turned, and of the last 24 clock hours. Hours that are ahead, because a clock was set back, count;
 * those more than a day ahead are of a clock that was wrong and do not.
 */
export function useOf(hours: Hours, now: number, turn: DayTurn): {today: number; trailing: number} {
  const furthest = hourOf(now) + hoursPerDay
  const since = (first: number) =>
    hours.reduce((sum, [hour, requests]) => (hour >= first && hour <= furthest ? sum + requests : sum), 0)
  return {today: since(firstHourOf(now, turn)), trailing: since(oldestHour(now))}
}

/** No hour counts longer than this, not even one that is ahead. */
const hoursUntilForgotten = 2 * hoursPerDay + 1

/** When fewer requests than these count, if none is sent until then; on the hour, in milliseconds since 1970. */
export function roomAt(hours: Hours, now: number, turn: DayTurn, requests: number): number {
  const next = hourOf(now) + 1
  for (let hour = next; hour < next + hoursUntilForgotten; hour++) {
    const {today, trailing} = useOf(hours, hour * millisecondsPerHour, turn)
    if (Math.max(today, trailing) < requests) return hour * millisecondsPerHour
  }

  return (next + hoursUntilForgotten) * millisecondsPerHour
}
