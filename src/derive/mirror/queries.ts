export type Query = {readonly name: string; readonly about: string; readonly sql: string}

/** Queries that are shipped; each runs in SQLite and in PostgreSQL. */
export const queries: readonly Query[] = [
  {
    name: 'sales-by-site',
    about: 'Sales of the last seven days by site; failed vends are not counted.',
    sql: `SELECT site_id, max(site_name) AS site, sum(quantity) AS quantity,
  round(sum(total_price), 2) AS sold,
  round(sum(tax_charged), 2) AS tax
FROM sales_by_day
WHERE days_ago BETWEEN 1 AND 7
GROUP BY site_id
ORDER BY sold DESC, site_id`,
  },
  {
    name: 'sales-by-product',
    about: 'Sales of the last seven days by day and product.',
    sql: `SELECT day, product_id, max(product_name) AS product,
  sum(quantity) AS quantity, round(sum(total_price), 2) AS sold
FROM sales_by_day
WHERE days_ago BETWEEN 1 AND 7
GROUP BY day, product_id
ORDER BY day, sold DESC, product_id`,
  },
  {
    name: 'sales-by-month',
    about: 'Sales, tax and commission by site and month.',
    sql: `SELECT substr(CAST(day AS text), 1, 7) AS month, site_id,
  max(site_name) AS site, sum(quantity) AS quantity,
  round(sum(total_price), 2) AS sold,
  round(sum(tax_charged), 2) AS tax,
  round(sum(commission), 2) AS commission
FROM sales_by_day
GROUP BY month, site_id
ORDER BY month, sold DESC, site_id`,
  },
  {
    name: 'silent-machines',
    about: 'Machines without a sale in three days, silent ones first.',
    sql: `SELECT id, name, site_name, account_name, last_sale_utc,
  hours_since_sale, hours_since_heart_beat
FROM machines_full
WHERE hours_since_sale > 72 OR hours_since_sale IS NULL
ORDER BY coalesce(hours_since_heart_beat, 1000000) DESC, id`,
  },
  {
    name: 'open-alerts',
    about: 'Open alerts by code, with the age of the oldest.',
    sql: `SELECT code, max(description) AS meaning, count(*) AS open,
  count(DISTINCT machine_id) AS machines,
  max(age_hours) AS oldest_hours
FROM open_alerts
GROUP BY code
ORDER BY open DESC, code`,
  },
  {
    name: 'empty-sites',
    about: 'Sites where no machine stands.',
    sql: `SELECT s.id, s.name, a.name AS account, s.is_active
FROM sites s
LEFT JOIN accounts a ON a.id = s.account_id
WHERE s.deleted_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM machines m
  WHERE m.site_id = s.id AND m.deleted_at IS NULL)
ORDER BY s.id`,
  },
  {
    name: 'price-ceilings',
    about: 'Price ceilings that differ from site to site of one account.',
    sql: `SELECT s.account_id, max(a.name) AS account,
  min(s.max_charge_price) AS lowest,
  max(s.max_charge_price) AS highest, count(*) AS sites
FROM sites s
LEFT JOIN accounts a ON a.id = s.account_id
WHERE s.deleted_at IS NULL
GROUP BY s.account_id
HAVING min(s.max_charge_price) <> max(s.max_charge_price)
ORDER BY s.account_id`,
  },
  {
    name: 'failed-vends',
    about: 'Machines by the share of vends that failed in 30 days.',
    sql: `SELECT machine_id, max(machine_name) AS machine, sum(lines) AS lines,
  sum(failed_lines) AS failed,
  round(100.0 * sum(failed_lines) / sum(lines), 1) AS percent
FROM sales_by_day
WHERE days_ago BETWEEN 1 AND 30
GROUP BY machine_id
HAVING sum(failed_lines) > 0
ORDER BY percent DESC, machine_id`,
  },
  {
    name: 'batch-totals',
    about: 'Batches whose total is not the sum of their line items.',
    sql: `SELECT t.id, t.machine_id, t.total_price,
  round(sum(l.total_price), 2) AS lines
FROM transactions t
JOIN transaction_lines l ON l.transaction_id = t.id
WHERE t.deleted_at IS NULL AND l.deleted_at IS NULL
GROUP BY t.id, t.machine_id, t.total_price
HAVING round(sum(l.total_price), 2) <> t.total_price
ORDER BY t.id`,
  },
  {
    name: 'deleted-records',
    about: 'Sites and machines that are gone since they were first mirrored.',
    sql: `SELECT 'site' AS what, id, name, deleted_at
FROM sites WHERE deleted_at IS NOT NULL
UNION ALL
SELECT 'machine', id, name, deleted_at
FROM machines WHERE deleted_at IS NOT NULL
ORDER BY what, id`,
  },
]
