import type {Clock} from '../core/clock.js'
import {toDuration} from '../core/durations.js'
import {CliFailure} from '../core/errors.js'
import {millisecondsPerDay as day} from '../values/date-time.js'
import type {JsonRecord} from '../values/json.js'

export type MovableClock = ReturnType<typeof createMovableClock>

const latest = Date.UTC(9999, 11, 31)

/** The server time, which can be moved and stopped. Intervals and waits stay those of the machine. */
export function createMovableClock(clock: Clock) {
  let ahead = 0
  let frozenAt: number | undefined
  const now = () => frozenAt ?? clock.now() + ahead

  function forward(milliseconds: number): void {
    if (now() + milliseconds > latest) throw cannotMove('The clock of the sandbox cannot pass the year 9999.')
    if (frozenAt === undefined) ahead += milliseconds
    else frozenAt += milliseconds
  }

  return {
    ...clock,
    now,
    /** Whether it shows another time than the machine. */
    isMoved: () => ahead !== 0 || frozenAt !== undefined,
    /** To `now`, `midnight`, `freeze` or `+1d`. Throws `usage` for anything else and beyond the year 9999. */
    move(to: string): void {
      if (to === 'now') [ahead, frozenAt] = [0, undefined]
      else if (to === 'freeze') frozenAt = now()
      else forward(to === 'midnight' ? day - (now() % day) : toStep(to))
    },
    describe: (): JsonRecord => ({
      time: new Date(now()).toISOString(),
      secondsAhead: Math.round((now() - clock.now()) / 1_000),
      isFrozen: frozenAt !== undefined,
    }),
  }
}

function toStep(to: string): number {
  try {
    return toDuration(/^\+(.*)$/.exec(to)?.[1] ?? '', '')
  } catch {
    throw cannotMove(`The clock of the sandbox cannot be moved to "${to}".`)
  }
}

function cannotMove(message: string): CliFailure {
  const hints = ['Write now, midnight, freeze, or how far to move it forward, such as +90s, +30m, +2h or +1d.']
  return new CliFailure(message, {code: 'SANDBOX_CLOCK', hints})
}
