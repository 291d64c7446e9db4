import pg from 'pg'
import type {OpenPostgresOptions, Postgres, PostgresTarget, PostgresValue} from '../../src/core/postgres.js'
import type {Place} from '../../src/core/postgres-failure.js'
import {sharedPostgres} from '../support/postgres.js'
import type {Choices} from './choices.js'
import {Death, type Life} from './life.js'
import type {Scheduler} from './scheduler.js'

/** What the program makes of the errors of a connection. */
export type StoreFailures = Record<'connectFailure' | 'postgresFailure', (error: unknown, place: Place) => Error>

export type StoreOptions = {
  scheduler: Scheduler
  choices: Choices
  now: () => number
  trouble: () => number
  onFault: (id: string, kind: string) => boolean
}

const asText = {getTypeParser: () => String}
/** Real sessions of this thread that nobody uses; each keeps no locks. */
const idle: pg.Client[] = []

async function connect(): Promise<pg.Client> {
  const kept = idle.pop()
  if (kept) return kept
  const {url} = await sharedPostgres()
  const client = new pg.Client({connectionString: url, types: asText})
  client.on('error', () => undefined) // ended by another session
  await client.connect()
  return client
}

/** Keeps a session for whoever comes next, without transaction, settings and locks. */
async function release(client: pg.Client): Promise<void> {
  try {
    await client.query('ROLLBACK')
    await client.query('DISCARD ALL')
    idle.push(client)
  } catch {
    await client.end().catch(() => undefined)
  }
}

/** Leaves nothing of an earlier world in the database of this thread. */
export async function clearStore(): Promise<void> {
  const client = await connect()
  await client.query('DROP SCHEMA IF EXISTS vendorctl CASCADE')
  idle.push(client)
}

/**
 * The store that machines share: a real PostgreSQL with the clock of the world. A transaction, or a statement outside of
 * one, has the server for itself, so that no statement waits in real time for one that is yet to come.
 */
export function createStore({scheduler, choices, now, trouble, onFault}: StoreOptions) {
  let holder: object | undefined
  const settle = <Result>(work: Promise<Result>) => {
    scheduler.busy = Promise.allSettled([scheduler.busy, work])
    return work
  }

  return async function open(
    life: Life,
    {shown}: PostgresTarget,
    {signal}: OpenPostgresOptions,
    failures: StoreFailures,
  ): Promise<Postgres> {
    const lost = new AbortController()
    const self = {}
    let client: pg.Client | undefined
    let isWithin = false
    const end = () => {
      const ended = client
      client = undefined
      if (holder === self) holder = undefined
      if (ended) settle(release(ended))
    }
    const wait = (milliseconds: number) => new Promise<void>((resolve) => life.plan(milliseconds, resolve))
    const meet = (what: string) => {
      const id = life.nameRequest(what)
      const random = choices.of(id)
      const [chance, delay, kind] = [random(), random(), random()]
      const fault = chance < trouble() && onFault(id, 'store') ? kind : undefined
      return {fault, delay}
    }

    life.effect('store')
    const {fault, delay} = meet('store')
    await wait(1 + delay * 5)
    signal?.throwIfAborted()
    if (fault !== undefined)
      throw failures.connectFailure(Object.assign(new Error('refused'), {code: 'ECONNREFUSED'}), {shown})
    await inWorld(async () => {
      client = await connect()
      await client.query("SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET search_path = pg_catalog, pg_temp")
    })
    void life.ended.then(end)

    /** Real work at a moment of the world. */
    async function inWorld<Result>(work: () => Promise<Result>): Promise<Result> {
      const {promise, resolve, reject} = Promise.withResolvers<Result>()
      life.plan(
        0,
        () =>
          void settle(work()).then(
            (result) => life.plan(0, () => resolve(result)),
            (error) => life.plan(0, () => reject(error)),
          ),
      )
      return promise
    }

    async function send(sql: string, values: readonly PostgresValue[] = []): Promise<pg.QueryResult> {
      life.effect(`store ${sql.slice(0, 30)}`)
      const {fault, delay} = meet(`store ${sql.trim().split(/\s+/)[0]}`)
      await wait(delay * 4)
      while (holder !== undefined && holder !== self) await wait(1)
      signal?.throwIfAborted()
      if (lost.signal.aborted || !client) throw lost.signal.reason ?? new Death('the session is closed')
      if (sql.startsWith('BEGIN')) holder = self
      const place: Place = isWithin ? {shown} : {shown, changed: 'unknown'}
      const lose = () => {
        const failure = failures.postgresFailure(
          Object.assign(new Error('read ECONNRESET'), {code: 'ECONNRESET'}),
          place,
        )
        end()
        lost.abort(failure)
        return failure
      }
      if (fault !== undefined && fault < 0.5) throw lose()
      const text = sql.replaceAll('clock_timestamp()', () => own.clock).replaceAll('gen_random_uuid()', () => own.uuid)
      const done = await inWorld(async () => {
        await client?.query("SELECT set_config('sim.now', $1, false)", [String(now() / 1_000)])
        return (await client?.query({text, values: values.map(toText)})) as pg.QueryResult
      }).catch((error: unknown) => failures.postgresFailure(error, place))
      if (/^(COMMIT|ROLLBACK)/.test(sql) && holder === self) holder = undefined
      if (fault !== undefined) throw lose()
      if (done instanceof Error) throw done
      return done
    }

    let lastSent: Promise<unknown> = Promise.resolve()
    const inTurn: typeof send = (...given) => {
      const turn = lastSent.then(() => send(...given))
      lastSent = turn.catch(() => undefined)
      return turn
    }
    let last: Promise<unknown> = Promise.resolve()
    const session: Postgres = {
      all: async (sql, ...values) => (await inTurn(sql, values)).rows,
      get: async (sql, ...values) => (await inTurn(sql, values)).rows[0],
      run: async (sql, ...values) => (await inTurn(sql, values)).rowCount ?? 0,
      transaction(work) {
        const turn = last.then(async () => {
          await inTurn('BEGIN')
          isWithin = true
          try {
            const result = await work()
            isWithin = false
            await inTurn('COMMIT')
            return result
          } catch (error) {
            isWithin = false
            await inTurn('ROLLBACK').catch(() => undefined)
            throw error
          }
        })
        last = turn.catch(() => undefined)
        return turn
      },
      read: () => Promise.reject(new Error('the simulation reads no mirror in PostgreSQL')),
      copy: () => Promise.reject(new Error('the simulation loads no mirror in PostgreSQL')),
      ...{lost: lost.signal, isDirect: true},
      close: async () => end(),
    }
    return session
  }
}

export type Store = ReturnType<typeof createStore>

/** In place of what is the server's own. */
const own = {
  clock: 'to_timestamp(current_setting($s$sim.now$s$)::float8)',
  uuid: 'md5($s$store$s$)::uuid',
}

const toText = (value: PostgresValue) => (value === null ? null : String(value))
