import {systemClock} from '../../core/clock.js'
import type {Postgres, PostgresRow} from '../../core/postgres.js'
import {counted} from '../../values/counted.js'
import {isPostgres, toPostgresAddress} from '../../values/database-address.js'
import type {Environment} from '../app/environment.js'
import {readVariable} from '../app/read-small-file.js'
import {findBudgetStore} from '../client/budget-store.js'
import {toCredentialCommand} from './credentials.js'
import {findLogin} from './database.js'
import {type Answer, type Check, toCheck} from './doctor-checks.js'
import {isShared, type Resolved} from './settings.js'

const checkMilliseconds = 4_000
const samples = 3
/** Of relative dates and of the hours of the day; requests are counted by the clock of the server alone. */
const clockToleranceMilliseconds = 60_000

/** Whether the budget that machines share can be used; undefined where this machine counts for itself. */
export async function checkBudget(resolved: Resolved, environment: Environment): Promise<Check | undefined> {
  if (!isShared(resolved.values.budget.value)) return undefined
  return toCheck('shared budget', async () => {
    const store = await findBudgetStore(resolved, environment)
    if (!store) return {text: 'none'}
    const database = await store.open({name: 'vendorctl doctor', statementMilliseconds: checkMilliseconds})
    try {
      return await examineStore(database, store.shown)
    } finally {
      await database.close()
    }
  })
}

/** Whether the PostgreSQL database of `sql` and `sync` answers, and what its user may do; undefined where none is set. */
export async function checkDatabase(resolved: Resolved, environment: Environment): Promise<Check | undefined> {
  const text = readVariable(environment, 'VENDORCTL_DB')
  if (!text || !isPostgres.test(text)) return undefined
  return toCheck('database', async () => {
    const findCommand = async () => toCredentialCommand(resolved.values)
    const address = await findLogin(toPostgresAddress(text), environment, findCommand)
    const {openPostgres} = await import('../../core/postgres.js')
    const database = await openPostgres(address, {name: 'vendorctl doctor', statementMilliseconds: checkMilliseconds})
    try {
      return describeUser((await database.get(currentUser)) ?? {}, address.shown)
    } finally {
      await database.close()
    }
  })
}

const currentUser = `SELECT current_user AS name, current_setting('is_superuser') AS superuser`

function describeUser({name, superuser}: PostgresRow, shown: string): Answer {
  if (superuser !== 'on') return {text: `${shown}, as ${name}`}
  const text = `${shown}, as ${name}: a superuser, so the queries of sql may call functions that run programs and read files`
  return {text, fix: 'Give sql a user who may only read: vendorctl help database'}
}

async function examineStore(database: Postgres, shown: string) {
  const locked = await database.get(forbidden)
  if (locked?.['names']) {
    const fix =
      'Let the owner of the schema run: GRANT ALL ON ALL TABLES IN SCHEMA vendorctl TO the user of the address'
    return {ok: false, text: `${shown}: this user may not use ${locked['names']}`, fix, exit: 'denied' as const}
  }
  const {milliseconds, ahead} = await measure(database)
  const row = await database.get(activeMachines)
  const machines = counted(Number(row?.['machines']), 'machine')
  const facts = `${shown}, PostgreSQL ${row?.['server']}; ${machines} active; a round trip takes ${milliseconds.toFixed(1)} ms`
  const differs = `the clocks differ by ${Math.round(Math.abs(ahead) / 1_000)} s`
  if (Math.abs(ahead) <= clockToleranceMilliseconds) return {text: `${facts}; ${differs}`}
  const fix = 'Set the clock of this machine, or that of the server; days begin by the clock of the server.'
  return {ok: false, text: `${facts}; ${differs}`, fix, exit: 'failure' as const}
}

/** Those that asked for permits in the last minutes and have not said goodbye. */
const activeMachines = `SELECT current_setting('server_version') AS server, (
    SELECT count(DISTINCT machine) FROM vendorctl.budget_machine JOIN vendorctl.budget_key USING (key)
    WHERE NOT has_left AND contact > steady + extract(epoch FROM vendorctl.clock()) * 1000 - server_time - 300000
  ) AS machines`

/** Tables that this user cannot read or write. */
const forbidden = `SELECT string_agg(relname, ', ' ORDER BY relname) AS names FROM pg_class
  WHERE relnamespace = 'vendorctl'::regnamespace AND relkind = 'r' AND NOT (has_table_privilege(oid, 'SELECT')
  AND has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))`

/** The quickest of a few round trips, and how far the clock of the server is ahead of ours then. */
async function measure(database: Postgres): Promise<{milliseconds: number; ahead: number}> {
  let best = {milliseconds: Number.POSITIVE_INFINITY, ahead: 0}
  for (let count = 0; count < samples; count++) {
    const begun = systemClock.monotonic()
    const row = await database.get('SELECT (extract(epoch FROM vendorctl.clock()) * 1000)::bigint AS now')
    const milliseconds = systemClock.monotonic() - begun
    const ahead = Number(row?.['now']) + milliseconds / 2 - systemClock.now()
    if (milliseconds < best.milliseconds) best = {milliseconds, ahead}
  }
  return best
}
