/** Each record lies as JSON text beside the columns that are searched; a deleted record stays, marked. */
const record = 'id INTEGER PRIMARY KEY, deleted INTEGER NOT NULL DEFAULT 0, json TEXT NOT NULL'

/** Written into the file, so that no other database is ever taken for one of ours. */
export const applicationId = 0x76_63_74_6c

/** Another number whenever the tables change. */
export const schemaVersion = 1

export const tableDefinitions = `
CREATE TABLE organization (${record}, organization_id INTEGER NOT NULL, time_zone TEXT);
CREATE TABLE account (${record}, organization_id INTEGER NOT NULL);
CREATE TABLE charge_key (id INTEGER PRIMARY KEY, organization_id INTEGER);
CREATE TABLE site (${record}, organization_id INTEGER NOT NULL, account_id INTEGER NOT NULL, name TEXT NOT NULL,
  time_zone TEXT);
CREATE INDEX site_name ON site (account_id, name);
CREATE TABLE machine (${record}, organization_id INTEGER NOT NULL, account_id INTEGER NOT NULL,
  site_id INTEGER NOT NULL, prose TEXT NOT NULL);
CREATE INDEX machine_prose ON machine (prose);
CREATE TABLE custom_data (${record}, organization_id INTEGER NOT NULL, machine_id INTEGER NOT NULL, key TEXT NOT NULL);
CREATE UNIQUE INDEX custom_data_key ON custom_data (machine_id, key);
CREATE TABLE alert_code (${record}, code TEXT NOT NULL UNIQUE, only_one_exists INTEGER NOT NULL);
CREATE TABLE alert (${record}, organization_id INTEGER NOT NULL, site_id INTEGER, machine_id INTEGER NOT NULL,
  code TEXT NOT NULL, is_cleared INTEGER NOT NULL, local_at INTEGER NOT NULL);
CREATE INDEX alert_time ON alert (local_at, organization_id, site_id, machine_id, code, deleted);
CREATE INDEX alert_open ON alert (machine_id, code, is_cleared);
CREATE TABLE batch (${record}, organization_id INTEGER NOT NULL, account_id INTEGER NOT NULL,
  site_id INTEGER NOT NULL, machine_id INTEGER NOT NULL, local_at INTEGER NOT NULL);
CREATE TABLE user (name TEXT PRIMARY KEY, password TEXT NOT NULL, access TEXT NOT NULL, organizations TEXT);
CREATE TABLE api_key (name TEXT PRIMARY KEY, key TEXT NOT NULL, organizations TEXT);
CREATE TABLE token (digest TEXT PRIMARY KEY, user TEXT NOT NULL, key_name TEXT NOT NULL, expires_at INTEGER NOT NULL);
`

/** Made after the seed world is loaded, which is faster. It covers every filter of the transaction report. */
export const lateIndexes = `
CREATE INDEX IF NOT EXISTS batch_time ON batch (local_at, organization_id, account_id, site_id, machine_id, deleted);
`

/** The tables that hold records of the API. */
export const recordTables = [
  'organization',
  'account',
  'site',
  'machine',
  'custom_data',
  'alert_code',
  'alert',
  'batch',
] as const

export type RecordTable = (typeof recordTables)[number]
