import type {Clock} from '../core/clock.js'
import type {Postgres} from '../core/postgres.js'

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
