import pg from 'pg'
import type {OpenPostgresOptions, PostgresTarget} from '../../src/core/postgres.js'
import type * as failures from '../../src/core/postgres-failure.js'
import {type Answer, asText, type createSession} from '../../src/core/postgres-session.js'
import {sharedPostgres} from '../support/postgres.js'
import {Death, type Life} from './life.js'
import type {Stage} from './world.js'

type OfProgram = typeof failures & {createSession: typeof createSession}
const toError = (code: string) => Object.assign(new Error(code), {code})
const clock = 'to_timestamp(current_setting($s$sim.now$s$)::float8)'
const uuid = 'md5($s$store$s$)::uuid'
/** Real sessions of this thread, which are kept for whoever comes next. */
let sessions: Promise<pg.Pool> | undefined

async function openSessions(): Promise<pg.Pool> {
  const {url} = await sharedPostgres()
  const pool = new pg.Pool({connectionString: url, types: asText, max: 50, idleTimeoutMillis: 0})
  pool.on('connect', (client) => client.on('error', () => undefined)) // ended by another session
  return pool.on('error', () => undefined)
}

/** Gives a session back, without transaction, settings and locks. */
async function release(client: pg.PoolClient): Promise<void> {
  const isClean = client.query('ROLLBACK').then(() => client.query('DISCARD ALL'))
  await isClean.then(() => client.release()).catch((error) => client.release(error))
}

/** Leaves nothing of an earlier world in the database of this thread. */
export async function clearStore(): Promise<void> {
  sessions ??= openSessions()
  await (await sessions).query('DROP SCHEMA IF EXISTS vendorctl CASCADE')
}

/** The store that machines share: a real PostgreSQL with the clock of the world. A transaction has it for itself. */
export function createStore({scheduler, choices, rules, now, meet}: Stage) {
  let holder: object | undefined
  const keepBusy = <Result>(work: Promise<Result>) => {
    scheduler.busy = Promise.allSettled([scheduler.busy, work])
    return work
  }

  return async function open(life: Life, {shown}: PostgresTarget, {signal}: OpenPostgresOptions, program: OfProgram) {
    const lost = new AbortController()
    let client: pg.PoolClient | undefined
    let place: failures.Place = {shown}
    const end = () => {
      if (client) keepBusy(release(client))
      client = undefined
      if (holder === lost) holder = undefined
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
      client = await (await sessions)?.connect()
      await client?.query("SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET search_path = pg_catalog, pg_temp")
    })
    void life.ended.then(end)
    const answer: Answer = (work, isOpen) => {
      place = isOpen ? {shown, changed: 'unknown'} : {shown}
      return work()
    }
    const session = program.createSession({query} as unknown as pg.Client, answer)
    return {...session, lost: lost.signal, isDirect: true, close: async () => end()}

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
      while (holder !== undefined && holder !== lost) await wait(1)
      signal?.throwIfAborted()
      if (lost.signal.aborted || !client) throw lost.signal.reason ?? new Death('the session is closed')
      if (sql.startsWith('BEGIN')) holder = lost
      const lose = () => {
        end()
        lost.abort(program.postgresFailure(toError('ECONNRESET'), place))
        return lost.signal.reason as Error
      }
      if (fault !== undefined && fault < 0.5) throw lose()
      const text = sql.replaceAll('clock_timestamp()', () => clock).replaceAll('gen_random_uuid()', () => uuid)
      const done = await inWorld(async () => {
        await client?.query("SELECT set_config('sim.now', $1, false)", [String(now() / 1_000)])
        return (await client?.query(text, values)) as pg.QueryResult
      }).catch((error: unknown) => program.postgresFailure(error, place))
      if (/^(COMMIT|ROLLBACK)/.test(sql) && holder === lost) holder = undefined
      if (fault !== undefined) throw lose()
      if (done instanceof Error) throw done
      return done
    }
  }
}
