import {CliFailure} from '../../core/errors.js'
import {openPostgres, type Postgres, type PostgresTarget} from '../../core/postgres.js'
import {checkOwners, findOwnSchema, ownPath} from '../../core/postgres-owners.js'
import {refusePooler} from '../../core/postgres-pooler.js'
import {quote as toLiteral} from '../../derive/mirror/render-sql.js'
import {allTables} from '../../derive/mirror/tables.js'
import {findingQuery} from '../../derive/mirror/upgrade.js'
import {mirrorViews} from '../../derive/mirror/views.js'
import {type MirrorDatabase, quote} from '../load/mirror-database.js'
import {openPostgresLoader} from './postgres-loader.js'

/** Merging a large window, or indexing all rows, takes its time. */
const statementMilliseconds = 600_000
/** Of all programs: whoever holds it in a schema syncs into it. */
const lockSpace = 0x7663746c

/** Opens the database and takes the lock of its schema. Throws a `CliFailure`: `locked` when another sync has it. */
export async function openPostgresMirror(
  target: PostgresTarget,
  {name, signal}: {name: string; signal: AbortSignal},
): Promise<MirrorDatabase> {
  const postgres = await openPostgres(target, {name, signal, statementMilliseconds})
  try {
    await refusePooler(postgres, () => openPostgres(target, {name, signal}), target.shown)
    const schema = await findOwnSchema(postgres)
    if (schema === undefined) throw noSchema(target.shown)
    const [lock] = await postgres.all(`SELECT pg_try_advisory_lock(${lockSpace}, hashtext($1)) AS taken`, schema)
    if (lock?.['taken'] !== 't') {
      const [holder = {}] = await postgres.all(
        `SELECT a.application_name AS name, a.pid, a.client_addr AS address, date_trunc('second', a.backend_start) AS since
         FROM pg_locks l JOIN pg_stat_activity a USING (pid)
         WHERE l.locktype = 'advisory' AND l.granted AND l.classid = ${lockSpace}
         AND l.objid = (hashtext($1)::bigint & 4294967295)::oid`,
        schema,
      )
      throw isLocked(target.shown, holder)
    }
    await checkOwners(postgres, {schema, names, isCalled: false, shown: target.shown})
    return toMirror(postgres, schema, target.shown)
  } catch (error) {
    await postgres.close()
    throw error
  }
}

const names = [...allTables, ...mirrorViews('postgres')].map(({name}) => name)

function toMirror(postgres: Postgres, schema: string, shown: string): MirrorDatabase {
  const db: MirrorDatabase = {
    dialect: 'postgres',
    name: shown,
    table: (name) => `${quote(schema)}.${quote(name)}`,
    async define(statements) {
      await checkOwners(postgres, {schema, names, isCalled: true, shown})
      const path = `SET LOCAL search_path = ${quote(schema)}, pg_temp`
      await postgres.run([path, ...statements, `SET LOCAL search_path = ${ownPath}`].join(';\n')) // one round trip
    },
    find: () => postgres.all(findingQuery('postgres', toLiteral(schema))),
    all: postgres.all,
    run: postgres.run,
    transaction: (work) => postgres.transaction(work),
    openLoader: (tables, look) => openPostgresLoader(postgres, db, tables, look),
    close: () => postgres.close(),
  }
  return db
}

function isLocked(shown: string, {name, pid, address, since}: Record<string, string | null>): CliFailure {
  const from = address === null || address === undefined ? '' : `, from ${address}`
  const holder =
    pid === undefined ? '' : ` (${name || 'a session without a name'}, server process ${pid}${from}, since ${since})`
  return new CliFailure(`Another sync writes into ${shown}${holder}.`, {
    code: 'MIRROR_LOCKED',
    exit: 'locked',
    retry: 'safe',
    hints: ['Run the same command again when it has ended.'],
  })
}

function noSchema(shown: string): CliFailure {
  return new CliFailure(`${shown}: there is no schema to make tables in.`, {
    code: 'DATABASE_DENIED',
    exit: 'denied',
    hints: ['Set the search_path of the user to a schema that exists: ALTER ROLE NAME SET search_path = SCHEMA'],
  })
}
