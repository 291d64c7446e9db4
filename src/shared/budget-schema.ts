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

/**
 * One round trip of a machine: it reports what it used and returned, and gets a lease and a share. Nothing else changes
 * the tables of a budget.
 */
const budgetAsk = `
CREATE FUNCTION vendorctl.budget_ask(asked_key text, ask jsonb) RETURNS jsonb LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
  -- How long a permit may be used after its time, an answer may be under way, and a request.
  grace CONSTANT double precision := 2000 + 2500 + 10000;
  -- So long after its last permit a machine asks again, or half of its share is kept for it; and so long that is done.
  patience CONSTANT double precision := 200;
  share_life CONSTANT double precision := 315000;
  jitter CONSTANT double precision := 20;
  -- What a late ask does not gain the next ones may, up to so much.
  late CONSTANT double precision := 2000;
  me CONSTANT text := ask->>'machine';
  wall CONSTANT double precision := (ask->>'wall')::double precision;
  rate double precision := (ask->>'rate')::double precision;
  burst CONSTANT double precision := (ask->>'burst')::double precision;
  -- Of the service's burst, of which a machine uses 95 %: what is uncertain of times has room beside it.
  capacity CONSTANT integer := floor(burst * 1.03);
  per_day CONSTANT integer := (ask->>'perDay')::integer;
  answered CONSTANT bigint := (ask->>'answered')::bigint;
  own_open CONSTANT integer := (ask->>'open')::integer;
  is_leaving CONSTANT boolean := (ask->>'leaving')::boolean;
  budget vendorctl.budget_key;
  known vendorctl.budget_machine;
  server_now double precision;
  -- Asks what others use, and for nothing else.
  is_looking CONSTANT boolean := NOT is_leaving AND (ask->>'want')::integer = 0;
  is_proven boolean;
  gained double precision;
  returned integer := (ask->>'back')::integer;
  kept double precision;
  now_hour bigint;
  open_before integer; open_known integer; open_of_others integer; open_of_silent integer;
  kept_burst double precision; kept_of_day integer;
  used integer; used_by_others jsonb;
  machines integer; sharing integer;
  shares_of_others double precision;
  share double precision := 0; share_of_day integer := 0;
  fair integer; room integer; granted integer;
  waits jsonb;
  longest double precision := 0;
BEGIN
  LOOP
    SELECT * INTO budget FROM vendorctl.budget_key WHERE key = asked_key FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO vendorctl.budget_key (key, server_time, wall_time, permits)
    VALUES (asked_key, extract(epoch FROM vendorctl.clock()) * 1000, wall, (ask->>'saved')::double precision)
    ON CONFLICT DO NOTHING;
  END LOOP;
  server_now := extract(epoch FROM vendorctl.clock()) * 1000;
  now_hour := floor(server_now / 3600000);
  SELECT * INTO known FROM vendorctl.budget_machine WHERE key = asked_key AND machine = me;

  -- Another machine has this id, or a later ask overtook this one.
  IF known.number >= (ask->>'number')::bigint THEN RETURN jsonb_build_object('isStale', true); END IF;

  -- Time never runs faster than for the machine that asks, from the ask whose answer it has. Where it can harm nobody, a
  -- new machine is a witness by its time of day.
  is_proven := known.number = answered AND ask->>'elapsed' IS NOT NULL;
  gained := greatest(0, server_now - budget.server_time);
  IF is_proven THEN
    gained := least(gained, greatest(0, known.contact + (ask->>'elapsed')::double precision + jitter - budget.steady));
    budget.server_time := greatest(least(budget.server_time + gained, server_now), server_now - late);
  ELSIF EXISTS (
    SELECT FROM vendorctl.budget_machine
    WHERE key = asked_key AND machine <> me AND open > 0 AND open_until > budget.steady
  ) THEN
    gained := 0;
  ELSE
    gained := least(gained, greatest(0, wall - budget.wall_time));
    budget.server_time := server_now;
  END IF;

  -- This database forgot what it had granted: as if its permits were on their way.
  IF ask->>'store' = budget.id AND coalesce(known.number, 0) < answered AND server_now - (ask->>'seen')::double precision < 86400000 THEN
    budget.permits := least(budget.permits, 0);
    INSERT INTO vendorctl.budget_machine
    VALUES (asked_key, '(lost)', '', 0, budget.steady, 0, capacity, budget.steady + gained + grace + 5000, 0, 0, 0, 0, true)
    ON CONFLICT (key, machine) DO UPDATE SET open_until = excluded.open_until
    WHERE budget_machine.open_until < budget.steady;
  END IF;

  -- Permits that came since, less those for machines that may have sent without asking.
  IF budget.slow_until > budget.steady THEN rate := rate / 2; END IF;
  SELECT coalesce(sum(one.share / 2 * greatest(0,
    least(budget.steady + gained, one.contact + share_life) - greatest(budget.steady, one.quiet))), 0),
    coalesce(sum(one.open) FILTER (WHERE one.open_until > budget.steady), 0),
    coalesce(sum(one.open) FILTER (WHERE one.open_until > budget.steady AND one.machine = me), 0)
  INTO kept, open_before, open_known FROM vendorctl.budget_machine one WHERE one.key = asked_key;
  budget.steady := budget.steady + gained;
  -- While they were on their way, nothing was saved that could have been sent beside them; a permit that is returned
  -- after it was given up for lost is lost. A lease whose answer never came is returned.
  IF known.number > answered THEN returned := returned + known.leased; END IF;
  budget.permits := least(budget.permits + greatest(0, gained - kept) * rate / 1000, greatest(0, capacity - open_before))
    + CASE WHEN open_known > 0 THEN returned ELSE 0 END;

  -- What is refused to one machine is refused to all.
  IF (ask->>'throttled')::boolean THEN
    budget.permits := least(budget.permits, 0);
    budget.throttles := array(SELECT at FROM unnest(budget.throttles) at WHERE at > budget.steady - 60000);
    IF coalesce(budget.throttles[cardinality(budget.throttles)], '-infinity') < budget.steady - 5000 THEN
      budget.throttles := budget.throttles || budget.steady;
    END IF;
    IF cardinality(budget.throttles) >= 3 THEN
      budget.throttles := '{}';
      budget.slow_until := budget.steady + 600000;
    END IF;
  END IF;
  IF (ask->>'forget')::boolean THEN budget.refused_until := NULL; END IF;
  IF ask->>'refusedFor' IS NOT NULL THEN
    budget.refused_until := server_now + (ask->>'refusedFor')::double precision;
    budget.refused_is := ask->>'refusedIs';
  END IF;

  -- Use of the last 24 clock hours; permits of which nothing was heard count as used.
  INSERT INTO vendorctl.budget_use
  SELECT asked_key, (pair->>0)::bigint, me, (pair->>1)::integer FROM jsonb_array_elements(ask->'hours') pair
  ON CONFLICT (key, hour, machine) DO UPDATE SET requests = excluded.requests
  WHERE budget_use.requests <> excluded.requests;
  SELECT coalesce(sum(requests), 0), jsonb_agg(jsonb_build_array(hour, requests)) FILTER (WHERE NOT is_own)
  INTO used, used_by_others FROM (
    SELECT hour, machine = me AS is_own, sum(requests)::integer AS requests FROM (
      SELECT hour, machine, requests FROM vendorctl.budget_use WHERE key = asked_key
      UNION ALL
      SELECT hour, machine, leased FROM vendorctl.budget_machine WHERE key = asked_key AND machine <> me AND leased > 0
    ) one WHERE hour BETWEEN now_hour - 23 AND now_hour + 24 GROUP BY 1, 2
  ) by_hour;

  SELECT
    coalesce(sum(one.open) FILTER (WHERE one.open_until > budget.steady), 0),
    coalesce(sum(one.open) FILTER (WHERE one.open_until > budget.steady AND NOT (is_sharing AND one.quiet + 4000 > budget.steady)), 0),
    coalesce(sum(one.share / 2 * burst) FILTER (WHERE is_sharing AND one.quiet < budget.steady), 0),
    coalesce(sum(one.share_of_day) FILTER (WHERE is_sharing AND one.quiet < budget.steady), 0),
    1 + count(*) FILTER (WHERE is_sharing AND one.quiet + 4000 > budget.steady),
    1 + count(*) FILTER (WHERE is_sharing),
    coalesce(sum(one.share) FILTER (WHERE is_sharing), 0)
  INTO open_of_others, open_of_silent, kept_burst, kept_of_day, machines, sharing, shares_of_others
  FROM (
    SELECT *, NOT has_left AND contact + share_life > budget.steady AS is_sharing
    FROM vendorctl.budget_machine WHERE key = asked_key AND machine <> me
  ) one;

  -- Requests on their way may arrive together, and with them what is saved.
  budget.permits := least(budget.permits, burst, greatest(0, capacity - kept_burst - open_of_others - own_open));
  -- Up to eight machines have leases of more than ten permits; for more of them, a queue of 4 s matters more than few asks.
  -- Very few permits at its end would be worse than some a little later.
  room := capacity - ceil(kept_burst)::integer - open_of_silent;
  fair := CASE WHEN machines > 8 THEN room * 4 / 5 ELSE room END / machines - own_open;
  fair := least((ask->>'want')::integer, greatest(1, fair));
  room := capacity - ceil(kept_burst)::integer - open_of_others - own_open;
  IF room < least(fair, 5) THEN room := 0; END IF;
  granted := least(fair, room, per_day - (ask->>'floor')::integer - used - kept_of_day);
  IF budget.refused_until > server_now AND budget.refused_until - server_now <= 90000000 THEN granted := 0; END IF;
  granted := greatest(0, granted);
  SELECT jsonb_agg(wait), max(wait) INTO waits, longest FROM (
    SELECT greatest(0, ceil((one - budget.permits) / rate * 1000)) AS wait FROM generate_series(1, granted) one
  ) plan;
  budget.permits := budget.permits - granted;

  IF is_looking THEN
    share := coalesce(known.share, 0);
    share_of_day := coalesce(known.share_of_day, 0);
  ELSIF NOT is_leaving THEN
    -- A part stays free, of which each new machine takes half: one without a share could not work without this database.
    share := greatest(0, least(
      15.0 / 16 / sharing,
      (1 - shares_of_others) / CASE WHEN known.number IS NULL THEN 2 ELSE 1 END
    ));
    share_of_day := greatest(0, floor(share / 2 * least(per_day - used - granted, rate * share_life / 1000)));
  END IF;
  INSERT INTO vendorctl.budget_machine VALUES (
    asked_key, me, coalesce(ask->>'host', ''), (ask->>'number')::bigint, budget.steady,
    budget.steady + coalesce(longest, 0) + patience, own_open + granted, budget.steady + coalesce(longest, 0) + grace,
    granted, now_hour, share, share_of_day, is_leaving OR is_looking AND coalesce(known.has_left, true)
  ) ON CONFLICT (key, machine) DO UPDATE SET
    host = excluded.host, number = excluded.number, contact = excluded.contact, quiet = excluded.quiet,
    open = excluded.open, open_until = excluded.open_until, leased = excluded.leased, hour = excluded.hour,
    share = excluded.share, share_of_day = excluded.share_of_day, has_left = excluded.has_left;
  UPDATE vendorctl.budget_key SET server_time = budget.server_time, wall_time = wall, steady = budget.steady, permits = budget.permits,
    throttles = budget.throttles, slow_until = budget.slow_until, refused_until = budget.refused_until,
    refused_is = budget.refused_is
  WHERE key = asked_key;
  IF known.number IS NULL THEN
    DELETE FROM vendorctl.budget_use WHERE key = asked_key AND hour < now_hour - 48;
    DELETE FROM vendorctl.budget_machine WHERE key = asked_key AND hour < now_hour - 48 AND machine <> '(lost)';
  END IF;

  RETURN jsonb_build_object(
    'store', budget.id, 'serverTime', round(server_now), 'waits', coalesce(waits, '[]'), 'retry', ceil(4000 / rate), 'rate', rate,
    'others', coalesce(used_by_others, '[]'), 'keptOfDay', kept_of_day, 'machines', machines,
    'share', share, 'shareOfDay', share_of_day, 'slowFor', greatest(0, ceil(budget.slow_until - budget.steady)),
    'refusedFor', CASE WHEN budget.refused_until > server_now THEN ceil(budget.refused_until - server_now) END,
    'refusedIs', budget.refused_is
  );
END
$function$;
`

export const budgetSchema = tables + budgetAsk
