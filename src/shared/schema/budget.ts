import {budgetAsk} from './budget-ask.js'

/**
 * The shared budget of each key: its bucket, its machines, and their use by hour. Times without a name are milliseconds
 * of `steady`, a clock of the key that never runs ahead of the true time, whatever the server's clock does.
 */
const tables = `
CREATE TABLE vendorctl.budget_key (
  key text PRIMARY KEY,
  id text NOT NULL DEFAULT gen_random_uuid(),
  server_time double precision NOT NULL,
  wall_time double precision NOT NULL,
  steady double precision NOT NULL DEFAULT 0,
  permits double precision NOT NULL,
  throttles double precision[] NOT NULL DEFAULT '{}',
  slow_until double precision NOT NULL DEFAULT 0,
  refused_until double precision,
  refused_is text
);
COMMENT ON TABLE vendorctl.budget_key IS 'Saved permits of a key; server_time, wall_time (of the last machine) and refused_until in milliseconds since 1970';

CREATE TABLE vendorctl.budget_machine (
  key text NOT NULL,
  machine text NOT NULL,
  host text NOT NULL,
  number bigint NOT NULL,
  contact double precision NOT NULL,
  quiet double precision NOT NULL,
  open integer NOT NULL,
  open_until double precision NOT NULL,
  leased integer NOT NULL,
  hour bigint NOT NULL,
  share double precision NOT NULL,
  share_of_day integer NOT NULL,
  has_left boolean NOT NULL,
  PRIMARY KEY (key, machine)
);
COMMENT ON COLUMN vendorctl.budget_key.id IS 'Tells this store from another; a backup that is restored keeps it';
COMMENT ON COLUMN vendorctl.budget_machine.number IS 'Of the last ask: a later one of the same machine is numbered higher';
COMMENT ON COLUMN vendorctl.budget_machine.quiet IS 'From when on the machine may send at half of its share, if it cannot reach this database';
COMMENT ON COLUMN vendorctl.budget_machine.open IS 'Requests that may still reach the service until open_until';
COMMENT ON COLUMN vendorctl.budget_machine.leased IS 'Permits of the last lease, of which it is not known whether they were used';
COMMENT ON COLUMN vendorctl.budget_machine.share IS 'Part of the rate that the machine may halve and use without asking';

CREATE TABLE vendorctl.budget_use (
  key text NOT NULL,
  hour bigint NOT NULL,
  machine text NOT NULL,
  requests integer NOT NULL,
  PRIMARY KEY (key, hour, machine)
);
COMMENT ON TABLE vendorctl.budget_use IS 'Requests of each machine by hour since 1970';
`

export const budgetSchema = tables + budgetAsk
