import {limits as contractLimits} from '../contract/index.js'
import {type Clock, systemClock} from '../core/clock.js'
import {toDuration} from '../core/durations.js'
import {CliFailure} from '../core/errors.js'
import {millisecondsPerDay as day} from '../values/date-time.js'
import type {JsonRecord} from '../values/json.js'
import type {Effect} from './faults/effect.js'
import {createFaults, type Faults} from './faults/faults.js'
import {type Exchange, perform} from './handlers/perform.js'
import {type Credentials, createCredentials, storeCredentials} from './keys-and-users.js'
import {createLimiter, createRequestCounter, type Limiter, type RequestCounter} from './limiter.js'
import type {SandboxOptions} from './options.js'
import {type Answer, toRefusal} from './request/http-answer.js'
import {createSessions, type Sessions} from './request/logins.js'
import {createRequestLog, type RequestLog} from './request-log.js'
import {loadWorld} from './seed/world.js'
import {openStore, type Store} from './store/record-store.js'
import {createQuery} from './store/store-query.js'

/** The service without its server. */
export type Core = {
  store: Store
  sessions: Sessions
  limiter: Limiter
  counter: RequestCounter
  faults: Faults
  log: RequestLog
  credentials: Credentials
  clock: ReturnType<typeof createMovableClock>
  options: SandboxOptions
  /** Answers a request that passed the gateway; the effects are those of the faults that it met. */
  answer(exchange: Exchange, effects: Effect[]): Answer
  /** Restores the seed world; clears faults, counters, limits, tokens and the log; the clock shows the time again. */
  reset(): void
}

const defaultSeed = 20_240_730

export function createCore(options: SandboxOptions): Core {
  const {database = '', limits = true, seed = defaultSeed, provisionsPerDay = 200} = options
  const clock = createMovableClock(options.clock ?? systemClock)
  const store = openStore(database)
  const sessions = createSessions(store)
  const query = createQuery(store)
  const credentials = createCredentials(store, options)
  const core: Core = {
    store,
    sessions,
    credentials,
    clock,
    options,
    limiter: createLimiter(limits === true ? contractLimits : limits || undefined, clock),
    counter: createRequestCounter(),
    faults: createFaults({sessions, store}, seed),
    log: createRequestLog(sessions.findKey),
    answer(exchange, effects) {
      const work = () => perform(exchange, {store, query, sessions, provisionsPerDay})
      const given = answer(exchange, effects, work)
      if (!clock.isMoved()) return given
      return {...given, headers: {date: new Date(clock.now()).toUTCString(), ...given.headers}}
    },
    reset() {
      clock.move('now')
      fill(core, seed)
      for (const part of [core.limiter, core.counter]) part.reset()
      for (const part of [core.faults, core.log]) part.clear()
    },
  }
  if (store.database.get('SELECT name FROM user') === undefined) fill(core, seed)
  else storeCredentials(sessions, credentials)
  core.faults.set(options.faults ?? [])
  return core
}

function fill({store, sessions, credentials, clock, options}: Core, seed: number): void {
  const {world = 'seeded', scale = 'small', batches, machines} = options
  store.clear()
  loadWorld(store, {world, scale, seed, batches, machines, now: clock.now()})
  storeCredentials(sessions, credentials)
}

function answer(exchange: Exchange, effects: Effect[], work: () => Answer): Answer {
  const instead = effects.find((effect) => effect.instead)?.instead
  const first = instead ? instead(exchange) : attempt(work)
  return effects.reduce((given, {after}) => after?.(given, exchange) ?? given, first)
}

function attempt(work: () => Answer): Answer {
  try {
    return work()
  } catch (error) {
    return toRefusal(error)
  }
}

const latest = Date.UTC(9999, 11, 31)

/** A clock whose time of day can be moved and stopped; intervals and waits stay those of the machine. */
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
