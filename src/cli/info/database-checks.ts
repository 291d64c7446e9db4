import type {Clock} from '../../core/clock.js'
import type {Environment} from '../../core/environment.js'
import type {PostgresRow} from '../../core/postgres.js'
import {readVariable} from '../../core/small-file.js'
import {toCredentialCommand} from '../../settings/credentials.js'
import {findBudgetStore, findLogin} from '../../settings/database.js'
import type {Resolved} from '../../settings/settings.js'
import {examineStore} from '../../shared/shared-store.js'
import {counted} from '../../values/counted.js'
import {isPostgres, toPostgresAddress} from '../../values/database-address.js'
import type {Answer} from './examination.js'

const opening = {name: 'vendorctl doctor', statementMilliseconds: 4_000}
/** Tolerance for relative dates and the hours of the day; requests are counted by the clock of the server alone. */
const clockToleranceMilliseconds = 60_000

/** Whether the budget that machines share can be used; undefined where this machine counts for itself. */
export async function checkBudget(
  resolved: Resolved,
  environment: Environment,
  clock: Clock,
): Promise<Answer | undefined> {
  const store = await findBudgetStore(resolved, environment)
  if (!store) return undefined
  const database = await store.open(opening)
  try {
    return describeStore(await examineStore(database, clock), store.shown)
  } finally {
    await database.close()
  }
}

function describeStore(facts: Awaited<ReturnType<typeof examineStore>>, shown: string): Answer {
  if ('forbidden' in facts) {
    const fix =
      'Let the owner of the schema run: GRANT ALL ON ALL TABLES IN SCHEMA vendorctl TO the user of the address'
    return {ok: false, text: `${shown}: this user may not use ${facts.forbidden}`, fix, exit: 'denied'}
  }
  const {server, machines, milliseconds, ahead} = facts
  const active = `${counted(machines, 'machine')} active; a round trip takes ${milliseconds.toFixed(1)} ms`
  const differs = `the clocks differ by ${Math.round(Math.abs(ahead) / 1_000)} s`
  const text = `${shown}, PostgreSQL ${server}; ${active}; ${differs}`
  if (Math.abs(ahead) <= clockToleranceMilliseconds) return {text}
  const fix = 'Set the clock of this machine, or that of the server; days begin by the clock of the server.'
  return {ok: false, text, fix, exit: 'failure'}
}

/** Whether the PostgreSQL database of `sql` and `sync` answers, and what its user may do; undefined where none is set. */
export async function checkDatabase(resolved: Resolved, environment: Environment): Promise<Answer | undefined> {
  const text = readVariable(environment, 'VENDORCTL_DB')
  if (!text || !isPostgres.test(text)) return undefined
  const findCommand = async () => toCredentialCommand(resolved.values)
  const address = await findLogin(toPostgresAddress(text), environment, findCommand)
  const {openPostgres} = await import('../../core/postgres.js')
  const database = await openPostgres(address, opening)
  try {
    return describeUser((await database.get(currentUser)) ?? {}, address.shown)
  } finally {
    await database.close()
  }
}

const currentUser = `SELECT current_user AS name, current_setting('is_superuser') AS superuser`

function describeUser({name, superuser}: PostgresRow, shown: string): Answer {
  if (superuser !== 'on') return {text: `${shown}, as ${name}`}
  const text = `${shown}, as ${name}: a superuser, so the queries of sql may call functions that run programs and read files`
  return {text, fix: 'Give sql a user who may only read: vendorctl help database'}
}
