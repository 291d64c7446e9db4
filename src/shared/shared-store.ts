import type {FailureCode} from '../contract/failure-codes.js'
import type {Clock} from '../core/clock.js'
import {shellQuote} from '../core/command-line.js'
import {CliFailure} from '../core/errors.js'
import {type OpenPostgresOptions, openPostgres, type Postgres, type PostgresTarget, sqlState} from '../core/postgres.js'
import {checkOwners} from '../core/postgres-owners.js'
import {refusePooler} from '../core/postgres-session.js'
import {budgetSchema} from './budget-schema.js'
import {auditSchema, changesSchema, marksSchema} from './marks-schema.js'

/** Version 13 is the first with all that the schema uses. */
const oldestServer = 130_000
/** `vendorct` as a number: the lock under which the schema is made and changed. */
const lock = '8531346446768825204'

const look = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS frozen,
  current_setting('server_version_num')::int < ${oldestServer} AS old, current_setting('server_version') AS server,
  (SELECT version FROM vendorctl.store WHERE program = 'vendorctl') AS version`

const inspect = `SELECT to_regnamespace('vendorctl') IS NOT NULL AS exists,
  EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('vendorctl'))
    OR EXISTS (SELECT FROM pg_proc WHERE pronamespace = to_regnamespace('vendorctl')) AS filled`

const made = `CREATE TABLE vendorctl.store (program text PRIMARY KEY, version integer NOT NULL);
  COMMENT ON SCHEMA vendorctl IS 'What machines with vendorctl share: vendorctl help environment';
  INSERT INTO vendorctl.store VALUES ('vendorctl', 0)`

/**
 * A session with the store that machines share, made or brought to this version first. Throws a `CliFailure` where there
 * can be none: a schema that is not ours or is newer, a server that cannot be written, a pooler without sessions.
 */
export async function openSharedStore(
  address: PostgresTarget,
  options: OpenPostgresOptions,
  versions = ourVersions,
): Promise<Postgres> {
  const database = await openPostgres(address, options)
  let isMade = true
  try {
    await refusePooler(database, () => openPostgres(address, options), address.shown)
    await checkOwners(database, {schema: 'vendorctl', isCalled: true, shown: address.shown})
    const found = await readVersion(database, address)
    isMade = found !== undefined
    if (found === undefined || found < versions.length) await migrate(database, address, versions)
    else if (found > versions.length) throw newer(address, found, versions.length)
    return database
  } catch (error) {
    await database.close()
    throw withRights(error, address, isMade)
  }
}

/** Undefined where there is no schema of ours yet. Another machine may make it between two looks. */
async function readVersion(database: Postgres, address: PostgresTarget, isSecond = false): Promise<number | undefined> {
  try {
    const row = await database.get(look)
    if (row?.['frozen'] === 't') throw replica(address)
    if (row?.['old'] === 't') throw oldServer(address, row['server'] ?? '')
    if (row?.['version']) return Number(row['version'])
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  const row = await database.get(inspect)
  if (row?.['filled'] !== 't') return undefined
  if (isSecond)
    throw failure(address, 'its schema "vendorctl" was not made by vendorctl; it is not touched', 'FOREIGN_DATABASE', [
      another,
    ])
  return readVersion(database, address, true)
}

/** One machine makes or changes the schema while the others wait, and all of it or nothing. */
async function migrate(database: Postgres, address: PostgresTarget, versions: typeof ourVersions): Promise<void> {
  const frozen = await database.get(
    `SELECT 1 AS frozen WHERE pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'`,
  )
  if (frozen) throw replica(address)
  await database.transaction(async () => {
    await database.run(`SELECT pg_advisory_xact_lock(${lock})`)
    const row = await database.get(inspect)
    if (row?.['exists'] !== 't') await database.run('CREATE SCHEMA vendorctl')
    if (row?.['filled'] !== 't') await database.run(made)
    const store = await database.get(`SELECT version FROM vendorctl.store WHERE program = 'vendorctl'`)
    const from = Number(store?.['version'])
    if (from > versions.length) throw newer(address, from, versions.length)
    for (const statement of versions.slice(from).flat()) await database.run(statement)
    await database.run('UPDATE vendorctl.store SET version = $1', versions.length)
  })
}

/** No such schema, table or column. [pub] */
function isMissing(error: unknown): boolean {
  return ['3F000', '42P01', '42703'].includes(sqlState(error) ?? '')
}

/** A right that is missing, with the statement that grants it. */
function withRights(error: unknown, address: PostgresTarget, isMade: boolean): unknown {
  if (!(error instanceof CliFailure) || sqlState(error) !== '42501') return error
  const user = `"${(address.user ?? '').replaceAll('"', '""')}"`
  const grant = `GRANT USAGE ON SCHEMA vendorctl TO ${user}; GRANT ALL ON ALL TABLES IN SCHEMA vendorctl TO ${user}`
  const statement = isMade ? grant : `CREATE SCHEMA vendorctl AUTHORIZATION ${user}`
  const asOwner = shellQuote(address.shown.replace(/\/\/([^@/]*@)?/, '//OWNER@'))
  return failure(address, `${user} lacks a right: ${String((error.cause as Error).message)}`, 'DATABASE_DENIED', [
    `As the owner of the ${isMade ? 'schema' : 'database'}: psql ${asOwner} -c ${shellQuote(statement)}`,
    ...(isMade ? ['A later version of the schema is made by its owner: run a command of vendorctl as that user.'] : []),
  ])
}

const another = 'Name another database: vendorctl profiles set NAME budget=postgres://USER@HOST/DATABASE'

function newer(address: PostgresTarget, found: number, known: number): CliFailure {
  const versions = `has version ${found}, and this program knows ${known}`
  return failure(
    address,
    `its schema "vendorctl" was made by a later version of vendorctl: it ${versions}`,
    'STATE_NEWER',
    ['Install the version of vendorctl that the other machines use, or a later one.'],
  )
}

function replica(address: PostgresTarget): CliFailure {
  return failure(address, 'it is a read replica, or set to accept no writes', 'DATABASE_READ_ONLY', [
    'Name the primary server: vendorctl profiles set NAME budget=postgres://USER@HOST/DATABASE',
  ])
}

function oldServer(address: PostgresTarget, version: string): CliFailure {
  return failure(address, `PostgreSQL ${version} is too old; version 13 or later is needed`, 'DATABASE_REFUSED', [
    another,
  ])
}

function failure({shown}: PostgresTarget, why: string, code: FailureCode, hints: string[]): CliFailure {
  return new CliFailure(`The database ${shown}: ${why}.`, {code, hints})
}

/** Each version is what it adds to the one before it. One that was released is never changed. */
export const ourVersions: readonly (readonly string[])[] = [
  [
    `CREATE FUNCTION vendorctl.clock() RETURNS timestamptz LANGUAGE sql VOLATILE
      SET search_path = pg_catalog, pg_temp AS 'SELECT clock_timestamp()'`,
    `COMMENT ON FUNCTION vendorctl.clock() IS 'The only clock of this schema'`,
    budgetSchema,
    marksSchema,
    changesSchema,
  ],
  [auditSchema],
]

const samples = 3

/** Facts about a store that machines share, as seen from this machine. */
export type StoreFacts = {
  server: string
  /** Machines that asked for permits in the last minutes and have not said goodbye. */
  machines: number
  /** Time of the quickest of a few round trips. */
  milliseconds: number
  /** Milliseconds that the clock of the server is ahead of ours. */
  ahead: number
}

/** Facts about a store, or the tables that its user cannot read or write. */
export async function examineStore(database: Postgres, clock: Clock): Promise<StoreFacts | {forbidden: string}> {
  const locked = await database.get(forbidden)
  if (locked?.['names']) return {forbidden: locked['names']}
  const measured = await measure(database, clock)
  const row = await database.get(activeMachines)
  return {...measured, server: row?.['server'] ?? '', machines: Number(row?.['machines'])}
}

const activeMachines = `SELECT current_setting('server_version') AS server, (
    SELECT count(DISTINCT machine) FROM vendorctl.budget_machine JOIN vendorctl.budget_key USING (key)
    WHERE NOT has_left AND contact > steady + extract(epoch FROM vendorctl.clock()) * 1000 - server_time - 300000
  ) AS machines`

/** Tables that this user cannot read or write. */
const forbidden = `SELECT string_agg(relname, ', ' ORDER BY relname) AS names FROM pg_class
  WHERE relnamespace = 'vendorctl'::regnamespace AND relkind = 'r' AND NOT (has_table_privilege(oid, 'SELECT')
  AND has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))`

async function measure(database: Postgres, clock: Clock): Promise<Pick<StoreFacts, 'milliseconds' | 'ahead'>> {
  let best = {milliseconds: Number.POSITIVE_INFINITY, ahead: 0}
  for (let count = 0; count < samples; count++) {
    const begun = clock.monotonic()
    const row = await database.get('SELECT (extract(epoch FROM vendorctl.clock()) * 1000)::bigint AS now')
    const milliseconds = clock.monotonic() - begun
    const ahead = Number(row?.['now']) + milliseconds / 2 - clock.now()
    if (milliseconds < best.milliseconds) best = {milliseconds, ahead}
  }
  return best
}
