import {shellQuote} from './command-line.js'
import {CliFailure} from './errors.js'
import type {Postgres} from './postgres-session.js'

/** Only what the system ships, and what this session makes for itself: names of ours are written with their schema. */
export const ownPath = 'pg_catalog, pg_temp'

/** The schema that the user's own path names first: there the mirror is. */
export async function findOwnSchema(database: Postgres): Promise<string | undefined> {
  await database.run('RESET search_path')
  const found = await database.get('SELECT current_schema AS name')
  await database.run(`SET search_path = ${ownPath}`)
  return found?.['name'] ?? undefined
}

type Owned = {
  schema: string
  /** Relations that are ours; all of the schema where they are not named. */
  names?: readonly string[]
  /** Names are resolved in the schema, so its functions and operators count, too. */
  isCalled: boolean
  /** The user only reads there, so the owner of the schema may be anyone. */
  isRead?: boolean
  /** The address for messages. */
  shown: string
}

/**
 * Throws `unsafe` where a schema, or what is ours in it, belongs to a role that could have it run code as this user: any
 * but the user, a role that he is in, the owner of the database and superusers.
 */
export async function checkOwners(
  database: Postgres,
  {schema, names, isCalled, isRead = false, shown}: Owned,
): Promise<void> {
  const found = await database.get(foreign, schema, names?.join() ?? '*', isCalled, isRead)
  if (!found) return
  const {what, owner, fix, me} = found
  const trust = `GRANT ${owner} TO ${me}`
  throw new CliFailure(`The database ${shown}: ${what} belongs to ${owner}, who could run code as ${me}.`, {
    code: 'DATABASE_OWNER',
    hints: [
      `Change that as the owner of the database: psql ${shellQuote(shown.replace(/\/\/([^@/]*@)?/, '//OWNER@'))} -c ${shellQuote(String(fix))}`,
      ...(takesOver.test(String(fix)) ? [`Read first what it does: from then on it counts as the code of ${me}.`] : []),
      `If ${owner} may act as ${me}: ${trust}`,
    ],
  })
}

/** Statements after which the code of another role would pass. */
const takesOver = /^ALTER (?:TABLE|FUNCTION) /

/** `pg_has_role` is true of every role for a superuser, who has the most to lose. */
const foreign = `WITH RECURSIVE mine(role) AS (
    SELECT oid FROM pg_roles WHERE rolname = current_user
    UNION SELECT m.roleid FROM pg_auth_members m JOIN mine ON m.member = mine.role
  ), trusted AS (
    SELECT role FROM mine UNION SELECT oid FROM pg_roles WHERE rolsuper OR rolname = 'pg_database_owner'
    UNION SELECT datdba FROM pg_database WHERE datname = current_database()
    UNION SELECT nspowner FROM pg_namespace WHERE nspname = $1 AND $4::boolean
  ), ours AS (
    SELECT c.oid, c.relkind, c.relowner, format('%I.%I', n.nspname, c.relname) AS name
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      AND ($2 = '*' OR c.relname::text = ANY (string_to_array($2, ',')))
  ), found AS (
    SELECT 1 AS rank, format('the schema %I', nspname) AS what, nspowner AS owner,
      format('ALTER SCHEMA %I OWNER TO %I', nspname, current_user) AS fix
    FROM pg_namespace WHERE nspname = $1
    UNION ALL SELECT 2, format('%s %s', kind.word, name), relowner, CASE WHEN kind.word = 'the table'
      THEN format('ALTER TABLE %s OWNER TO %I', name, current_user) ELSE format('DROP %s %s', kind.type, name) END
    FROM ours JOIN (VALUES ('r', 'the table', 'TABLE'), ('p', 'the table', 'TABLE'), ('v', 'the view', 'VIEW'),
      ('m', 'the materialized view', 'MATERIALIZED VIEW'), ('f', 'the foreign table', 'FOREIGN TABLE'),
      ('S', 'the sequence', 'SEQUENCE')) kind (letter, word, type) ON kind.letter = ours.relkind::text
    UNION ALL SELECT 3, format('the function %s', p.oid::regprocedure), p.proowner,
      format('ALTER FUNCTION %s OWNER TO %I', p.oid::regprocedure, current_user)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1 AND $3::boolean
    UNION ALL SELECT 3, format('the operator %s', o.oid::regoperator), oprowner, format('DROP OPERATOR %s', o.oid::regoperator)
    FROM pg_operator o JOIN pg_namespace n ON n.oid = oprnamespace WHERE n.nspname = $1 AND $3::boolean
    UNION ALL SELECT 4, format('the function of the trigger %I on %s', tgname, name), proowner,
      format('DROP TRIGGER %I ON %s', tgname, name)
    FROM ours JOIN pg_trigger t ON t.tgrelid = ours.oid AND NOT t.tgisinternal JOIN pg_proc p ON p.oid = t.tgfoid
    UNION ALL SELECT 5, format('a function of the rule %I on %s', rulename, name), proowner,
      format('DROP RULE %I ON %s', rulename, name)
    FROM ours JOIN pg_rewrite r ON r.ev_class = ours.oid AND ours.relkind IN ('r', 'p')
      JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_proc'::regclass
      JOIN pg_proc p ON p.oid = d.refobjid
  )
  SELECT what, format('%I', rolname) AS owner, format('%I', current_user) AS me, fix
  FROM found LEFT JOIN pg_roles ON pg_roles.oid = owner
  WHERE owner NOT IN (SELECT role FROM trusted) ORDER BY rank, what LIMIT 1`
