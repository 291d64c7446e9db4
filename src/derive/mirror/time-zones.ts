import {toIanaNames} from '../../values/zones.js'
import type {Dialect} from './column-types.js'
import {quote, type ToTable} from './render-sql.js'

type Pair = readonly [name: string, iana: string | undefined]

/** Lists the zones that records name and that are not in the table of zones, or unknown there, as `name`. */
export function renderUnknownZones(table: ToTable): string {
  return `SELECT name FROM (
  SELECT time_zone AS name FROM ${table('sites')} UNION SELECT time_zone FROM ${table('organizations')}
) named WHERE name IS NOT NULL AND name NOT IN (SELECT name FROM ${table('time_zones')} WHERE iana IS NOT NULL)`
}

/** The statements that enter zones; PostgreSQL keeps only what it knows, since an unknown one makes a query fail. */
export function renderTimeZones(dialect: Dialect, names: readonly string[], table: ToTable = (name) => name): string[] {
  if (names.length === 0) return []
  const candidates = names.map((name): [string, string[]] => [name, toIanaNames(name)])
  const insert = (rows: string) =>
    `INSERT INTO ${table('time_zones')} (name, iana) ${rows} ON CONFLICT (name) DO UPDATE SET iana = excluded.iana`
  if (dialect === 'sqlite') return [insert(toValues(candidates.map(([name, [first]]): Pair => [name, first])))]
  const pairs = candidates.flatMap(([name, [first, ...others]]) => [first, ...others].map((iana): Pair => [name, iana]))
  const named = `(${toValues(pairs)}) v (name, iana)`
  const known = `LEFT JOIN pg_timezone_names z ON lower(z.name) = lower(v.iana)`
  return [insert(`SELECT v.name, min(z.name) FROM ${named} ${known} GROUP BY v.name`)]
}

function toValues(rows: readonly Pair[]): string {
  const cells = rows.map(([name, iana]) => `(${quote(name)}, ${iana === undefined ? 'NULL' : quote(iana)})`)
  return `VALUES ${cells.join(', ')}`
}
