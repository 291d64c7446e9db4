/** Version of the tables below; those of version 1 had no seals. */
export const journalVersion = 2

/**
 * One run. A part is a set or what is sent again of it; a seal is a checksum of the other columns of its row. Times of
 * `event` are labels in milliseconds since 1970; `sent_*` and `doubt_*` are moments since the start of the machine.
 */
export const journalTables = `
CREATE TABLE run(
  id TEXT PRIMARY KEY,
  facts TEXT NOT NULL,
  outcome TEXT,
  seal INTEGER
);
CREATE TABLE owner(pid INTEGER NOT NULL, host TEXT NOT NULL, since INTEGER NOT NULL);
CREATE TABLE row(
  place INTEGER PRIMARY KEY,
  line INTEGER NOT NULL,
  digest BLOB NOT NULL,
  natural_key TEXT,
  id TEXT,
  skip TEXT,
  given TEXT,
  by_run TEXT,
  seal INTEGER
);
CREATE TABLE part(
  seq INTEGER PRIMARY KEY,
  parent INTEGER REFERENCES part(seq),
  number INTEGER NOT NULL,
  places TEXT NOT NULL,
  origin TEXT NOT NULL,
  body_digest TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  sent_boot TEXT,
  sent_at REAL,
  doubt_boot TEXT,
  doubt_at REAL,
  answer TEXT,
  how TEXT,
  seal INTEGER
);
CREATE INDEX part_by_parent ON part(parent) WHERE parent IS NOT NULL;
CREATE TABLE body(part INTEGER PRIMARY KEY REFERENCES part(seq), text TEXT NOT NULL);
CREATE TABLE preimage(natural_key TEXT PRIMARY KEY, record TEXT NOT NULL, seal INTEGER) WITHOUT ROWID;
CREATE TABLE event(
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  part INTEGER,
  from_state TEXT,
  to_state TEXT NOT NULL,
  why TEXT NOT NULL,
  seal INTEGER
);`
