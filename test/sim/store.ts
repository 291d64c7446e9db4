import pg from 'pg'
import type {OpenPostgresOptions, Postgres, PostgresTarget} from '../../src/core/postgres.js'
import type * as failures from '../../src/core/postgres-failure.js'
import {type Answer, asText, type createSession} from '../../src/core/postgres-session.js'
import {sharedPostgres} from '../support/postgres.js'
import {Death, type Life} from './life.js'
import type {Stage} from './world.js'

/** What the program itself makes of a connection and of its errors. */
type OfProgram = typeof failures & {createSession: typeof createSession}

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
export function createStore({scheduler, choices, rules, now, meet}: Stage) {
  let holder: object | undefined
  const keepBusy = <Result>(work: Promise<Result>) => {
    scheduler.busy = Promise.allSettled([scheduler.busy, work])
    return work
  }

  return async function open(
    life: Life,
    {shown}: PostgresTarget,
    {signal}: OpenPostgresOptions,
    program: OfProgram,
  ): Promise<Postgres> {
    const lost = new AbortController()
    const self = {}
    let client: pg.Client | undefined
    let place: failures.Place = {shown}
    const end = () => {
      if (client) keepBusy(release(client))
      client = undefined
      if (holder === self) holder = undefined
    }
    const wait = (milliseconds: number) => new Promise<void>((resolve) => life.plan(milliseconds, resolve))
    const chancesOf = (what: string) => {
      const id = life.nameRequest(what)
      const random = choices.of(id)
      const [chance, delay, kind] = [random(), random(), random()]
      return {delay, fault: chance < rules.trouble / 8 && meet(id, 'store') ? kind : undefined}
    }

    life.effect('store')
    const {fault, delay} = chancesOf('store')
    await wait(1 + delay * 5)
    signal?.throwIfAborted()
    if (fault !== undefined) throw program.connectFailure(toError('ECONNREFUSED'), {shown})
    await inWorld(async () => {
      client = await connect()
      await client.query("SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET search_path = pg_catalog, pg_temp")
    })
    void life.ended.then(end)
    const answer: Answer = (work, isOpen) => {
      place = isOpen ? {shown, changed: 'unknown'} : {shown}
      return work()
    }
    const session = program.createSession({query} as unknown as pg.Client, answer)
    return {...session, lost: lost.signal, isDirect: true, close: async () => end()}

    /** Real work at a moment of the world. */
    function inWorld<Result>(work: () => Promise<Result>): Promise<Result> {
      return new Promise((resolve, reject) => {
        const done = (result: Result) => void life.plan(0, () => resolve(result))
        const failed = (error: unknown) => void life.plan(0, () => reject(error))
        life.plan(0, () => void keepBusy(work()).then(done, failed))
      })
    }

    async function query(sql: string, values: (string | null)[]): Promise<pg.QueryResult> {
      life.effect(`store ${sql.slice(0, 30)}`)
      const {fault, delay} = chancesOf(`store ${sql.trim().split(/\s+/)[0]}`)
      await wait(delay * 4)
      while (holder !== undefined && holder !== self) await wait(1)
      signal?.throwIfAborted()
      if (lost.signal.aborted || !client) throw lost.signal.reason ?? new Death('the session is closed')
      if (sql.startsWith('BEGIN')) holder = self
      const lose = () => {
        end()
        lost.abort(program.postgresFailure(toError('ECONNRESET'), place))
        return lost.signal.reason as Error
      }
      if (fault !== undefined && fault < 0.5) throw lose()
      const text = sql.replaceAll('clock_timestamp()', () => own.clock).replaceAll('gen_random_uuid()', () => own.uuid)
      const done = await inWorld(async () => {
        await client?.query("SELECT set_config('sim.now', $1, false)", [String(now() / 1_000)])
        return (await client?.query(text, values)) as pg.QueryResult
      }).catch((error: unknown) => program.postgresFailure(error, place))
      if (/^(COMMIT|ROLLBACK)/.test(sql) && holder === self) holder = undefined
      if (fault !== undefined) throw lose()
      if (done instanceof Error) throw done
      return done
    }
  }
}

const toError = (code: string) => Object.assign(new Error(code), {code})

export type Store = ReturnType<typeof createStore>

/** In place of what is the server's own. */
const own = {
  clock: 'to_timestamp(current_setting($s$sim.now$s$)::float8)',
  uuid: 'md5($s$store$s$)::uuid',
}
