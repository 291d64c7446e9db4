import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {type Database, openDatabase} from '../../../src/core/sqlite.js'
import {openState} from '../../../src/core/state-file.js'
import {listActivities} from '../../../src/reports/register/activities.js'
import {openExportRegister} from '../../../src/reports/register/export-register.js'
import {listNamed} from '../../../src/reports/register/list-named.js'
import {laterSchema, moveUp} from '../../../src/reports/register/register-tables.js'
import {failureOfCall} from '../../support/failure-of-call.js'
import {makeFolder} from '../../support/folder.js'

const named = {name: 'nightly', scope: 'all'}
const mark = {at: '2024-03-02T00:00:00', nextStart: '2024-03-01T23:00:00', keys: ['a'], manifest: 'sha256:1'}

/** The tables of version 1 that later versions read. */
const older = `
  CREATE TABLE longest (source TEXT PRIMARY KEY, milliseconds INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE TABLE covered (scope TEXT NOT NULL, window_from TEXT NOT NULL, window_to TEXT NOT NULL, grade TEXT NOT NULL,
    file TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE TABLE watermark (name TEXT NOT NULL, scope TEXT NOT NULL, at TEXT NOT NULL, next_start TEXT NOT NULL,
    keys TEXT NOT NULL, manifest TEXT NOT NULL, PRIMARY KEY (name, scope)) STRICT;
  CREATE TABLE shared_copy (name TEXT NOT NULL, scope TEXT NOT NULL, store TEXT NOT NULL, version INTEGER NOT NULL,
    begun INTEGER, part TEXT, PRIMARY KEY (name, scope)) STRICT;
  CREATE TABLE export_run (id TEXT NOT NULL, name TEXT NOT NULL, facts TEXT NOT NULL, created_at INTEGER NOT NULL,
    ended_at INTEGER, rows INTEGER, requests INTEGER, PRIMARY KEY (id, name)) STRICT;
  INSERT INTO watermark VALUES ('nightly', 'all', '${mark.at}', '${mark.nextStart}', '["a"]', 'sha256:1'),
    ('alone', 'all', '${mark.at}', '${mark.nextStart}', '["a"]', 'sha256:1');
  INSERT INTO export_run VALUES ('20240302-000000-00001', 'checkpoint', '{"command":"reports transactions"}', 7, 8, 9, 10);
  INSERT INTO shared_copy VALUES ('nightly', 'all', 'store', 4, 3, 'part');
`

function makeOlder(): string {
  const folder = makeFolder()
  const path = join(folder, 'exports.db')
  openState({path, version: 1, schema: older, what: 'The register of exports', isShared: true}).close()
  return path
}

/** What was known before, as this version reads it. */
function readMoved(path: string) {
  const register = openExportRegister(path)
  const found = {seen: register.findSeen(named), alone: register.findWatermark({name: 'alone', scope: 'all'})}
  register.close()
  return {...found, listed: listActivities(dirname(path))}
}

/** As it was listed before it was moved, too. */
const run = {
  ...{id: '20240302-000000-00001', kind: 'export', state: 'done', rows: 9, requests: 10, createdAt: 7},
  facts: {command: 'reports transactions'},
}

const moved = {seen: {store: 'store', version: 4, at: mark.at, begun: 3, part: 'part'}, alone: mark, listed: [run]}

const names = ['alone', 'nightly'].map((name) => [name, mark.at])

class Killed extends Error {}

/** The same database for a process that is killed before its call of this number. */
function killedAt(database: Database, step: number): Database {
  let left = step
  const mortal = <Call extends (...given: never[]) => unknown>(call: Call) =>
    ((...given: never[]) => {
      if (left-- === 0) throw new Killed()
      return call(...given)
    }) as Call
  return {...database, exec: mortal(database.exec), run: mortal(database.run), get: mortal(database.get)}
}

test('a register of the version before is moved once, and a move that is killed at any step is repeated', () => {
  let steps = 0
  for (let isKilled = true; isKilled; steps++) {
    const path = makeOlder()
    const database = openDatabase(path)
    database.exec(laterSchema)
    try {
      moveUp(killedAt(database, steps))
      isKilled = false
    } catch (error) {
      expect(error).toBeInstanceOf(Killed)
    }
    database.close()

    expect(listActivities(dirname(path))).toEqual([run])
    expect(listNamed(dirname(path)).map(({name, mark: found}) => [name, found?.at])).toEqual(names)
    expect([readMoved(path), readMoved(path)]).toEqual([moved, moved])
  }
  expect(steps).toBeGreaterThan(4)
})

test('the version before refuses a register that was moved, by its name', () => {
  const path = makeOlder()
  openExportRegister(path).close()

  const failure = failureOfCall(() => openState({path, version: 1, schema: older, what: 'The register of exports'}))

  expect(failure).toMatchObject({code: 'STATE_NEWER', exit: 'storage'})
  expect(failure.message).toMatch(/^The register of exports was written by vendorctl [\d.]+, a later version; /)
})
