import type {Dialect, MirrorView} from './column-types.js'
import {mirrorTables} from './tables.js'

type Words = {
  /** The UTC moment of a time that the service gives twice: in server time, which may be missing, and local. */
  toUtc(server: string, local: string): string
  /** Hours from a moment to another, or to now where there is none. */
  hours(from: string, to?: string): string
  day(local: string): string
  daysSince(day: string): string
  /** The last of times, some of which may be missing. */
  last(...times: readonly string[]): string
  /** A sum of decimals without the error of the engine. */
  exact(sum: string): string
}

/** Differences of the engines: SQLite knows no time zones, and adds decimals as doubles of 15 to 16 digits. */
const engines: Readonly<Record<Dialect, Words>> = {
  sqlite: {
    toUtc: (server) => server,
    hours: (from, to = 'NULL') => `round((julianday(coalesce(${to}, 'now')) - julianday(${from})) * 24, 1)`,
    day: (local) => `substr(${local}, 1, 10)`,
    daysSince: (day) => `CAST(julianday('now', 'start of day') - julianday(${day}) AS INTEGER)`,
    last: (...times) => `nullif(max(${times.map((time) => `coalesce(${time}, '')`).join(', ')}), '')`,
    exact: (sum) => `round(${sum}, 6)`,
  },
  postgres: {
    toUtc: (server, local) => `coalesce(${server}, ${local} AT TIME ZONE z.iana)`,
    hours: (from, to = 'NULL') => `round(extract(epoch FROM coalesce(${to}, now()) - ${from})::numeric / 3600, 1)`,
    day: (local) => `${local}::date`,
    daysSince: (day) => `(now() AT TIME ZONE 'UTC')::date - ${day}`,
    last: (...times) => `greatest(${times.join(', ')})`,
    exact: (sum) => sum,
  },
}

const parents = ['s.name AS site_name', 'a.name AS account_name', 'o.name AS organization_name']
const timeZone = 'coalesce(s.time_zone, o.time_zone)'

/** The views, each after those that it reads. Columns of a table come last, so that a new one can be added. */
export function mirrorViews(dialect: Dialect): MirrorView[] {
  const engine = engines[dialect]
  return [toMachines(engine), toAlerts(engine), openAlerts, toSales(engine), toSelections()]
}

function toMachines({last, hours}: Words): MirrorView {
  const lastSale = last('m.last_cash_sale_server', 'm.last_credit_sale_server', 'm.last_account_sale_server')
  const columns = [
    'm.id',
    'm.name',
    ...parents,
    'a.id AS account_id',
    `${timeZone} AS time_zone`,
    `${lastSale} AS last_sale_utc`,
    `${hours(lastSale)} AS hours_since_sale`,
    `${hours('m.last_heart_beat_server')} AS hours_since_heart_beat`,
    ...ownOf('machines', 'm'),
  ]
  return {
    name: 'machines_full',
    about:
      'Machines that are not deleted, with the names of site, account and organization. Local times are in time_zone.',
    select: `SELECT
  ${columns.join(',\n  ')}
FROM machines m
LEFT JOIN sites s ON s.id = m.site_id
LEFT JOIN accounts a ON a.id = s.account_id
LEFT JOIN organizations o ON o.id = coalesce(m.organization_id, s.org_id)
WHERE m.deleted_at IS NULL`,
  }
}

function toAlerts({toUtc, hours}: Words): MirrorView {
  const raised = toUtc('x.raised_at_server_time', 'x.raised_at')
  const cleared = toUtc('x.cleared_at_server_time', 'x.cleared_at')
  const columns = [
    'x.id',
    'x.code',
    '(SELECT max(c.description) FROM alert_codes c WHERE c.code = x.code) AS description',
    'm.name AS machine_name',
    ...parents,
    `${timeZone} AS time_zone`,
    `${raised} AS raised_at_utc`,
    `${cleared} AS cleared_at_utc`,
    `${hours(raised, cleared)} AS age_hours`,
    ...ownOf('alerts', 'x', 'code'),
  ]
  return {
    name: 'alerts_full',
    about:
      'Alerts with the names of machine, site, account and organization. age_hours is the time until it was cleared, or until now.',
    select: `SELECT
  ${columns.join(',\n  ')}
FROM alerts x
LEFT JOIN machines m ON m.id = x.machine_id
LEFT JOIN sites s ON s.id = coalesce(x.site_id, m.site_id)
LEFT JOIN accounts a ON a.id = coalesce(x.account_id, s.account_id)
LEFT JOIN organizations o ON o.id = coalesce(x.organization_id, m.organization_id)
LEFT JOIN time_zones z ON z.name = ${timeZone}
WHERE x.deleted_at IS NULL`,
  }
}

const openAlerts: MirrorView = {
  name: 'open_alerts',
  about: 'Alerts that are not cleared; the columns are those of alerts_full.',
  select: 'SELECT * FROM alerts_full WHERE is_cleared IS NOT TRUE',
}

function toSelections(): MirrorView {
  const names = ['p.name AS product_name', 'm.name AS machine_name', 'm.site_id', ...parents]
  return {
    name: 'selections_full',
    about: 'Selections that are not deleted, with the names of product, machine, site, account and organization.',
    select: `SELECT
  ${['x.id', ...names, ...ownOf('selections', 'x')].join(',\n  ')}
FROM selections x
LEFT JOIN products p ON p.id = x.product_id
LEFT JOIN machines m ON m.id = x.machine_id
LEFT JOIN sites s ON s.id = m.site_id
LEFT JOIN accounts a ON a.id = s.account_id
LEFT JOIN organizations o ON o.id = coalesce(m.organization_id, s.org_id)
WHERE x.deleted_at IS NULL`,
  }
}

function toSales({day, daysSince, exact}: Words): MirrorView {
  const when = {sold: 'l.vend_was_successful IS NOT FALSE', failed: 'l.vend_was_successful IS FALSE'}
  const sum = (column: string, filter = when.sold) => `coalesce(sum(l.${column}) FILTER (WHERE ${filter}), 0)`
  const local = day('l.occurred_at_local_time')
  return {
    name: 'sales_by_day',
    about:
      'Line items by day in the local time of the machine, site, machine and product; days_ago counts from today in UTC. Failed vends count in lines, failed_lines and failed_price only.',
    select: `SELECT
  ${local} AS day,
  ${daysSince(local)} AS days_ago,
  t.site_id,
  max(t.site_name) AS site_name,
  t.machine_id,
  max(t.machine_name) AS machine_name,
  l.product_id,
  max(l.product_name) AS product_name,
  count(*) AS lines,
  count(*) FILTER (WHERE ${when.failed}) AS failed_lines,
  ${sum('quantity')} AS quantity,
  ${exact(sum('total_price'))} AS total_price,
  ${exact(sum('tax_charged'))} AS tax_charged,
  ${exact(sum('commission'))} AS commission,
  ${exact(sum('total_price', when.failed))} AS failed_price
FROM transaction_lines l
JOIN transactions t ON t.id = l.transaction_id
WHERE l.deleted_at IS NULL AND t.deleted_at IS NULL
GROUP BY ${local}, t.site_id, t.machine_id, l.product_id`,
  }
}

/** The columns of a table that a view does not show before. */
function ownOf(table: string, alias: string, ...shown: readonly string[]): string[] {
  const columns = mirrorTables.find(({name}) => name === table)?.columns ?? []
  const names = columns.map((column) => column.name)
  return inPlace(names)
    .filter((name) => !['id', 'name', 'deleted_at', ...shown].includes(name))
    .map((name) => `${alias}.${name}`)
}

/** The last field of a table of version 1 before those that later versions added. */
const lastBefore = 'last_account_sale_local'

/** Columns of later versions behind all others: PostgreSQL replaces a view only where its columns stay in their places. */
function inPlace(names: readonly string[]): string[] {
  const end = names.indexOf(lastBefore) + 1
  if (end === 0) return [...names]
  const later = names.slice(end).filter((name) => name !== 'extra')
  return [...names.filter((name) => !later.includes(name)), ...later]
}
