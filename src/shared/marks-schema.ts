/** Tables of what machines share of named exports: marks, who reads now, what is announced, finished and covered. */
export const marksSchema = `
  CREATE TABLE vendorctl.mark_store (id text NOT NULL DEFAULT gen_random_uuid());
  INSERT INTO vendorctl.mark_store DEFAULT VALUES;
  COMMENT ON TABLE vendorctl.mark_store IS 'Tells this store from another; a backup that is restored keeps it';
  CREATE TABLE vendorctl.mark (
    key text NOT NULL,
    name text NOT NULL,
    scope text NOT NULL,
    version bigint NOT NULL DEFAULT 0,
    at text,
    next_start text,
    keys text,
    manifest text,
    facts text,
    last text,
    machine text,
    host text,
    moved_at timestamptz,
    unfinished text,
    PRIMARY KEY (key, name, scope)
  );
  COMMENT ON TABLE vendorctl.mark IS 'Up to where each name of --since-last has read; every change raises its version';
  COMMENT ON COLUMN vendorctl.mark.unfinished IS 'The file that the last run of the name began, and its machine, until the mark moves';
  CREATE TABLE vendorctl.mark_holder (
    key text NOT NULL,
    name text NOT NULL,
    scope text NOT NULL,
    token text NOT NULL,
    lock bigint NOT NULL,
    backend integer NOT NULL,
    machine text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    command text NOT NULL,
    since timestamptz NOT NULL,
    PRIMARY KEY (key, name, scope)
  );
  COMMENT ON TABLE vendorctl.mark_holder IS
    'Who took the advisory lock of a name last; without that lock the row says nothing';
  CREATE TABLE vendorctl.mark_announced (
    key text NOT NULL,
    name text NOT NULL,
    scope text NOT NULL,
    version bigint NOT NULL,
    id text NOT NULL,
    machine text NOT NULL,
    host text NOT NULL,
    finished text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (key, name, scope)
  );
  COMMENT ON TABLE vendorctl.mark_announced IS 'A complete file that is about to get its name; void once the version is another';
  CREATE TABLE vendorctl.mark_finished (
    key text NOT NULL,
    id text NOT NULL,
    name text NOT NULL,
    scope text NOT NULL,
    version bigint NOT NULL,
    machine text NOT NULL,
    host text NOT NULL,
    path text,
    digest text,
    bytes bigint,
    rows bigint NOT NULL,
    range_from text NOT NULL,
    range_to text NOT NULL,
    delivery text,
    at timestamptz NOT NULL,
    PRIMARY KEY (key, name, scope, id)
  );
  COMMENT ON TABLE vendorctl.mark_finished IS 'Each run that moved a mark, and the file that it wrote';
  CREATE TABLE vendorctl.covered (
    key text NOT NULL,
    scope text NOT NULL,
    machine text NOT NULL,
    host text NOT NULL,
    window_from text COLLATE "C" NOT NULL,
    window_to text COLLATE "C" NOT NULL,
    grade text NOT NULL,
    file text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (key, scope, machine, window_from, window_to, file)
  );
  COMMENT ON TABLE vendorctl.covered IS 'Windows of the report that finished exports have read';
`

/** Times of changes of records that count their changes: of equal counts nobody could tell whose change it was. */
export const changesSchema = `
  CREATE TABLE vendorctl.changed (
    service text NOT NULL,
    record text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (service, record)
  );
  COMMENT ON TABLE vendorctl.changed IS 'Records of a service whose counts a machine changed a moment ago'
`

/** Results of each write, as `runs audit` lists them. */
export const auditSchema = `
  CREATE TABLE vendorctl.audit (run text PRIMARY KEY, at timestamptz NOT NULL, entry text NOT NULL);
  COMMENT ON TABLE vendorctl.audit IS 'Who wrote when from which file, and what became of the rows'
`
