import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, describe, expect, test, vi} from 'vitest'
import {openDatabase} from '../../../src/core/sqlite.js'
import {type Column, toColumn} from '../../../src/formats/columns.js'
import {toDatabaseFailure} from '../../../src/formats/files/database-failure.js'
import {openDatabaseFile} from '../../../src/formats/files/database-file.js'
import {writeSqlite} from '../../../src/formats/write/write-sqlite.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {makeFolder} from '../../support/folder.js'
import {everyKind, toRecords} from '../../support/odd-records.js'
import {createRecordsFile} from '../../support/records/write-records.js'

let folder: string
let path: string

beforeEach(() => {
  folder = makeFolder()
  path = join(folder, 'out.db')
})
const things = {name: 'things', key: ['id']}
const lines = {name: 'lines', key: ['id', 'line.id']}
const lineColumns = [
  toColumn(['id'], 'text'),
  toColumn(['line', 'id'], 'integer'),
  toColumn(['line', 'price'], 'decimal'),
]

type Options = {columns?: readonly Column[]; table?: typeof things; overwrite?: boolean; lookAhead?: number}

async function write(records: readonly JsonRecord[], options: Options = {}) {
  const {columns = everyKind, table = things, overwrite = false, lookAhead = 1} = options
  const file = await openDatabaseFile(path, {overwrite})
  try {
    const writer = createRecordsFile({columns, lookAhead}, (settled, held) => writeSqlite(file, settled, held, table))
    for (const record of records) await writer.page([record])
    await writer.end()
    await file.commit()
    return writer
  } catch (error) {
    await file.discard()
    throw error
  }
}

function query(sql: string) {
  const database = openDatabase(path, {readOnly: true})
  try {
    return database.all(sql)
  } finally {
    database.close()
  }
}

describe('a database', () => {
  test('that is not kept leaves no journal, which SQLite cannot remove on a full disk', async () => {
    const file = await openDatabaseFile(path)
    writeFileSync(`${path}.part-journal`, 'of a full disk')
    await file.discard()

    expect(readdirSync(folder)).toEqual([])
  })

  test('has a strict table with a type for every kind of field', async () => {
    await write([])

    expect(query("SELECT sql FROM sqlite_schema WHERE type='table'")).toEqual([
      {
        sql:
          'CREATE TABLE "things"("id" INTEGER, "name" TEXT, "price" ANY, "isOpen" INTEGER, ' +
          '"recordedAtUtc" TEXT, "seen.local" TEXT, "tags" TEXT) STRICT',
      },
    ])
  })

  test('keeps every digit: a number where a double holds it, text where not', async () => {
    await write(
      toRecords(
        '{"id": 1, "price": 10.10, "name": "00123", "isOpen": true, "recordedAtUtc": "2024-07-30T18:07:05.470"}',
        '{"id": 9223372036854775807, "price": 0.12345678901234567890, "tags": [1.50], "isOpen": false}',
        '{"id": 3, "price": 9007199254740993}',
        '{"id": 9007199254743912, "price": 1e400}',
      ),
    )

    const exact = "CASE typeof(price) WHEN 'integer' THEN cast(price AS TEXT) ELSE price END AS price"
    const found = query(`SELECT cast(id AS TEXT) AS id, ${exact}, typeof(price) AS type, name, "isOpen" FROM things`)
    expect(found).toMatchObject([
      {id: '1', price: 10.1, type: 'real', name: '00123', isOpen: 1},
      {id: '9223372036854775807', price: '0.12345678901234567890', type: 'text', isOpen: 0},
      {id: '3', price: '9007199254740993', type: 'integer'},
      {id: '9007199254743912', price: '1e400', type: 'text', isOpen: null},
    ])
    expect(query('SELECT "recordedAtUtc", tags FROM things LIMIT 2')).toEqual([
      {recordedAtUtc: '2024-07-30T18:07:05.470', tags: null},
      {recordedAtUtc: null, tags: '[1.50]'},
    ])
  })

  test('is updated by the same read and by one that overlaps, and doubles nothing', async () => {
    const first = await write(toRecords('{"id": 1, "name": "a"}', '{"id": 2, "name": "b"}'))
    const second = await write(toRecords('{"id": 2, "name": "B"}', '{"id": 3, "name": null}'))

    expect(query('SELECT id, name FROM things ORDER BY id')).toEqual([
      {id: 1, name: 'a'},
      {id: 2, name: 'B'},
      {id: 3, name: null},
    ])
    expect(first.written.notes).toEqual(['Table things: 2 rows added, 0 updated.'])
    expect(second.written.notes).toEqual(['Table things: 1 row added, 1 updated.'])
  })

  test('knows lines by batch and line; a batch without lines is one row', async () => {
    const rows = toRecords(
      '{"id": "B1", "line": {"id": 1, "price": 1.5}}',
      '{"id": "B1", "line": {"id": 2, "price": 2.5}}',
      '{"id": "B2", "line": {"id": 1, "price": 3.5}}',
      '{"id": "B3"}',
    )

    for (let run = 0; run < 2; run++) await write(rows, {columns: lineColumns, table: lines})

    expect(query('SELECT count(*) AS rows, sum("line.price") AS sum FROM lines')).toEqual([{rows: 4, sum: 7.5}])
  })

  test('holds a table for each kind of rows', async () => {
    await write(toRecords('{"id": 1}'))
    await write(toRecords('{"id": "B1", "line": {"id": 1}}'), {columns: lineColumns, table: lines})

    expect(query("SELECT name FROM sqlite_schema WHERE type='table' ORDER BY name")).toEqual([
      {name: 'lines'},
      {name: 'things'},
    ])
  })

  test('is widened by columns that it does not have, and keeps those that a read leaves out', async () => {
    await write(toRecords('{"id": 1, "name": "a"}'))
    await write(toRecords('{"id": 1, "extra": 5.0, "ID": "x"}'), {columns: [toColumn(['id'], 'integer')]})

    expect(query('SELECT id, name, extra, "ID 2" AS other FROM things')).toEqual([
      {id: 1, name: 'a', extra: 5, other: 'x'},
    ])
  })

  test('has a column also for a field whose name no statement can hold', async () => {
    const columns = [toColumn(['id'], 'integer')]
    await write(toRecords(String.raw`{"id": 1, "a\u0000b": 2, "say \"x\"": 3}`), {columns})

    expect(query('SELECT "a\u2400b" AS one, "say ""x""" AS other FROM things')).toEqual([{one: 2, other: 3}])
  })

  test('takes every value in a column whose first rows are odd, and refuses one that comes too late', async () => {
    await write(toRecords('{"id": 1, "isOpen": "maybe"}', '{"id": 2, "isOpen": true}'))
    const late = write(toRecords('{"id": 3}', '{"id": "4"}'))

    expect(query('SELECT "isOpen" FROM things')).toEqual([{isOpen: 'maybe'}, {isOpen: 1}])
    await expect(late).rejects.toMatchObject({code: 'VALUE_DOES_NOT_FIT', exit: 'incomplete'})
    expect(query('SELECT count(*) AS rows FROM things')).toEqual([{rows: 2}])
  })

  test.for([
    ['without id', ['{"name": "a"}'], things],
    ['with one id twice in a batch', ['{"id": "B1", "line": {"id": 1}}', '{"id": "B1", "line": {"id": 1}}'], lines],
  ] as const)('refuses rows %s', async ([, texts, table]) => {
    const columns = table === lines ? lineColumns : everyKind

    await expect(write(toRecords(...texts), {columns, table: {...table, key: [...table.key]}})).rejects.toMatchObject({
      code: 'KEY_NOT_UNIQUE',
      exit: 'incomplete',
    })
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('the file of a database', () => {
  test('has no name before it is whole, and leaves nothing when it is discarded', async () => {
    const file = await openDatabaseFile(path)
    file.database.exec('CREATE TABLE one(id)')

    expect(existsSync(path)).toBe(false)
    await file.discard()
    await file.discard()

    expect(readdirSync(folder)).toEqual([])
  })

  test('is as it was when the second run is discarded', async () => {
    await write(toRecords('{"id": 1}'))
    const before = readFileSync(path)
    const file = await openDatabaseFile(path)
    file.database.exec('DELETE FROM things')

    await file.discard()

    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(folder)).toEqual(['out.db'])
  })

  test('is replaced with overwrite only', async () => {
    await write(toRecords('{"id": 1}'))
    await write(toRecords('{"id": 2}'), {overwrite: true})

    expect(query('SELECT id FROM things')).toEqual([{id: 2}])
  })

  test('that somebody else made is refused, and stays as it is', async () => {
    const database = openDatabase(path)
    database.exec('CREATE TABLE things(id TEXT)')
    database.close()
    const before = readFileSync(path)

    await expect(openDatabaseFile(path)).rejects.toMatchObject({code: 'FOREIGN_DATABASE', exit: 'usage'})

    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('whose table was made by somebody else is refused', async () => {
    await write(toRecords('{"id": 1}'))
    const database = openDatabase(path)
    database.exec('DROP TABLE things; CREATE TABLE things(id REAL)')
    database.close()

    await expect(write(toRecords('{"id": 1}'))).rejects.toMatchObject({code: 'FOREIGN_DATABASE', exit: 'usage'})
  })

  test('that is no database is refused', async () => {
    writeFileSync(path, 'id,name\n1,a\n'.repeat(100))

    await expect(openDatabaseFile(path)).rejects.toMatchObject({code: 'FOREIGN_DATABASE', exit: 'usage'})
  })

  test('that is a link or a folder is refused', async () => {
    symlinkSync(join(folder, 'other.db'), path)

    await expect(openDatabaseFile(path)).rejects.toMatchObject({exit: 'unsafe'})
    await expect(openDatabaseFile(folder)).rejects.toMatchObject({code: 'IS_A_FOLDER', exit: 'usage'})
    await expect(openDatabaseFile('/dev/null')).rejects.toMatchObject({exit: 'usage'})
  })

  test.for(['-journal', '-wal', '-shm'])('beside which lies a planted %s is not opened', async (end) => {
    await write(toRecords('{"id": 1}'))
    const before = readFileSync(path)
    writeFileSync(join(folder, 'theirs'), 'theirs')
    symlinkSync(join(folder, 'theirs'), `${path}${end}`)

    const planted = {code: 'SYMBOLIC_LINK', exit: 'unsafe', message: expect.stringContaining(`out.db${end} `)}
    await expect(openDatabaseFile(path)).rejects.toMatchObject(planted)
    await expect(openDatabaseFile(path, {overwrite: true})).rejects.toMatchObject(planted)

    expect(readFileSync(path)).toEqual(before)
    rmSync(path)
    await expect(openDatabaseFile(path)).rejects.toMatchObject(planted)
    expect(existsSync(`${path}.part`)).toBe(false)
  })

  test('is not made beside what another user left for it', async () => {
    writeFileSync(`${path}-journal`, 'theirs')
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(4711)

    await expect(openDatabaseFile(path)).rejects.toMatchObject({exit: 'unsafe'})

    getuid.mockRestore()
  })

  test('that is new does not take in what was left of one before it', async () => {
    const [old, copy] = [join(folder, 'old.db'), `${path}-journal`]
    const database = openDatabase(old)
    database.exec("CREATE TABLE things (id); INSERT INTO things VALUES ('old'); PRAGMA cache_size=1")
    database.exec(`BEGIN; UPDATE things SET id = 'new'; CREATE TABLE big AS
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 2000) SELECT x, randomblob(500) FROM n`)
    copyFileSync(`${old}-journal`, copy)
    database.close()

    await write(toRecords('{"id": 1}'))

    expect(query('PRAGMA integrity_check')).toEqual([{integrity_check: 'ok'}])
    expect(query('SELECT id FROM things')).toEqual([{id: 1}])
    expect(existsSync(copy)).toBe(false)
  })

  test('whose name was given to another file meanwhile says that another run has it', async () => {
    const {database, commit, discard} = await openDatabaseFile(path)
    rmSync(`${path}.part`)
    let thrown: unknown
    try {
      database.exec('CREATE TABLE things (id)')
    } catch (error) {
      thrown = toDatabaseFailure(error, path)
    }

    expect(thrown).toMatchObject({code: 'FILE_TAKEN', exit: 'locked'})
    await expect(commit()).rejects.toMatchObject({code: 'FILE_TAKEN', exit: 'locked'})
    await discard()
  })

  test('that another program writes to is refused as locked', async () => {
    await write(toRecords('{"id": 1}'))
    const other = openDatabase(path)
    other.exec('BEGIN IMMEDIATE')

    try {
      await expect(openDatabaseFile(path, {busyMilliseconds: 20})).rejects.toMatchObject({
        code: 'FILE_BUSY',
        exit: 'locked',
      })
    } finally {
      other.close()
    }
  })

  test('that outgrows its disk is refused as full, and stays as it was', async () => {
    await write(toRecords('{"id": 1}'))
    const file = await openDatabaseFile(path)
    file.database.exec('PRAGMA max_page_count=5')
    const writer = createRecordsFile({columns: everyKind}, (settled, held) => writeSqlite(file, settled, held, things))
    await writer.page(Array.from({length: 500}, (_, id) => ({id, name: 'x'.repeat(100)})))

    await expect(writer.end()).rejects.toMatchObject({code: 'NO_SPACE', exit: 'storage'})
    await file.discard()

    expect(query('SELECT id FROM things')).toEqual([{id: 1}])
  })

  test('takes an empty file for a new one, and gives it the permissions it had', async () => {
    writeFileSync(path, '', {mode: 0o640})

    await write(toRecords('{"id": 1}'))

    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder)).toEqual(['out.db'])
  })
})
