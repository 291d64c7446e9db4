import {toIanaName} from '../../values/zones.js'
import {quote} from './render-sql.js'
import type {Dialect} from './types.js'

/** Lists the zones that records name and that are not in the table of zones, or unknown there, as `name`. */
export const unknownZonesQuery = `SELECT name FROM (
  SELECT time_zone AS name FROM sites UNION SELECT time_zone FROM organizations
) named WHERE name IS NOT NULL AND name NOT IN (SELECT name FROM time_zones WHERE iana IS NOT NULL)`

/** The statements that enter zones; PostgreSQL keeps only what it knows, since an unknown one makes a query fail. */
export function renderTimeZones(dialect: Dialect, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const rows = names.map((name) => [name, toIanaName(name)].map((text) => (text === undefined ? 'NULL' : quote(text))))
  const values = `VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`
  const known = `SELECT v.name, z.name FROM (${values}) v (name, iana) LEFT JOIN pg_timezone_names z ON z.name = v.iana`
  const insertion = `INSERT INTO time_zones (name, iana) ${dialect === 'sqlite' ? values : known}`
  return [`${insertion} ON CONFLICT (name) DO UPDATE SET iana = excluded.iana`]
}
