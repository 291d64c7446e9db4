import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, vi} from 'vitest'
import {openDatabase} from '../../src/core/sqlite.js'
import {toUnscaled} from '../../src/values/decimal.js'
import {
  isNumber,
  isRecord,
  type JsonRecord,
  type JsonValue,
  numberText,
  parseJson,
  printJson,
} from '../../src/values/json.js'
import {type Home, patience, requestsOf, test} from '../support/binary.js'
import {readParquetFile} from '../support/parquet.js'
import {readWorkbook} from '../support/workbook.js'

const formats = ['xlsx', 'parquet', 'sqlite'] as const
const range = ['--start', '-60d', '--end', 'today']
const reads = [
  ['machines', 'list'],
  ['alerts', 'list'],
  ['reports', 'transactions', '--rows', 'lines', ...range],
]

type Cells = Record<string, string | null>

/** What two files must agree on: numbers by value, times by the instant that their clock shows, the rest to the letter. */
function toCell(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null
  if (isNumber(value)) return toDigits(numberText(value))
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value !== 'string') return printJson(value)
  return /^\d{4}-\d\d-\d\dT/.test(value) ? String(Date.parse(value.endsWith('Z') ? value : `${value}Z`)) : value
}

function toDigits(text: string): string {
  const units = toUnscaled(text, 20, 60)
  return units === undefined ? text : `number ${units}`
}

function flatten(record: JsonRecord, before = ''): Cells {
  const cells = Object.entries<JsonValue>(record).flatMap(([name, value]) =>
    isRecord(value) ? Object.entries(flatten(value, `${before}${name}.`)) : [[before + name, toCell(value)] as const],
  )
  return Object.fromEntries(cells.filter(([, cell]) => cell !== null))
}

const readers = {
  xlsx(path: string): Cells[] {
    const [header = [], ...rows] = readWorkbook(path)[0]?.rows ?? []
    const moment = (text: string) => String(Math.round((Number(text) - 25_569) * 86_400_000))
    return rows.map((row) => {
      const cells = [...row].flatMap((cell, place): [string, string][] => {
        if (!cell) return []
        const isTime = ['164', '165'].includes(cell.style)
        const text = cell.kind === 'boolean' ? String(Number(cell.text === 'true')) : cell.text
        return [[header[place]?.text ?? '', cell.kind === 'number' ? (isTime ? moment(text) : toDigits(text)) : text]]
      })
      return Object.fromEntries(cells)
    })
  },
  async parquet(path: string): Promise<Cells[]> {
    const {types, rows} = await readParquetFile(path)
    const toValue = (name: string, value: string | boolean) => {
      if (typeof value === 'boolean') return value ? '1' : '0'
      if (types[name]?.startsWith('Timestamp')) return String(Number(value) / 1000)
      return types[name] === 'Utf8' ? value : toDigits(value)
    }

    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).flatMap(([name, value]) => (value === null ? [] : [[name, toValue(name, value)]])),
      ),
    )
  },
  sqlite(path: string): Cells[] {
    const database = openDatabase(path, {readOnly: true})
    try {
      const [table] = database.all("SELECT name FROM sqlite_schema WHERE type='table'")
      const columns = database.all(`PRAGMA table_info("${table?.['name']}")`).map(({name}) => String(name))
      const exact = columns.map(
        (name) => `CASE typeof("${name}") WHEN 'integer' THEN 'i' || "${name}" ELSE "${name}" END AS "${name}"`,
      )
      return database.all(`SELECT ${exact.join(', ')} FROM "${table?.['name']}" ORDER BY rowid`).map((row) => {
        const cells = Object.entries(row).filter(([, value]) => value !== null)
        return Object.fromEntries(cells.map(([name, value]) => [name, toStored(value as string | number)]))
      })
    } finally {
      database.close()
    }
  },
}

function toStored(value: string | number): string {
  if (typeof value === 'number') return toDigits(String(value))
  return /^i-?\d+$/.test(value) ? toDigits(value.slice(1)) : String(toCell(value))
}

/** SQLite keeps truth values as numbers, and a workbook keeps long numbers as text: told apart by the other files. */
function alike(cells: Cells): Cells {
  const plain = (cell: string | null) => (/^-?\d+(?:\.\d+)?$/.test(cell ?? '') ? toDigits(cell ?? '') : cell)
  return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, plain(cell)]))
}

const filesOf = (home: Home) =>
  readdirSync(home.path)
    .filter((name) => !['config', 'state', 'cache'].includes(name))
    .sort()
const extensions = {xlsx: 'xlsx', parquet: 'parquet', sqlite: 'db'}

describe.concurrent('a file that is no text holds what ndjson holds, digit for digit', () => {
  const each = reads.flatMap((words) => formats.map((format) => [format, words] as const))

  test.for(each)('%s: %j', async ([format, words], {start, home}) => {
    const {run} = await start({batches: 60, machines: 40})
    const path = join(home.path, `all.${extensions[format]}`)
    const lines = await run([...words, '-o', 'ndjson'])
    const records = lines.stdout.trimEnd().split('\n')

    const ran = await run([...words, '--output-file', path])

    expect(ran).toMatchObject({exitCode: 0, stdout: ''})
    expect((await readers[format](path)).map(alike)).toEqual(
      records.map((record) => alike(flatten(parseJson(record) as JsonRecord))),
    )
    expect(records.length).toBeGreaterThan(4)
  })
})

describe.concurrent('a format that is no text', () => {
  test.for(formats)('%s is refused for standard output, and no request is sent', async (format, {start}) => {
    const {run, sandbox} = await start()

    for (const more of [[], ['--output-file', '-'], ['--json']]) {
      const ran = await run(['machines', 'list', '-o', format, ...more])

      expect(ran.exitCode).toBe(2)
      expect(ran.stderr).toContain(`${format} is written to a file only, never to standard output`)
    }

    expect(requestsOf(sandbox)).toEqual({})
  })

  test.for(formats)('%s leaves nothing behind after Ctrl-C', async (format, {start, home}) => {
    const {begin, sandbox} = await start({faults: ['drip@machines.list#2']})
    const path = join(home.path, 'm.out')
    const stopped = begin(['machines', 'list', '--page-size', '5', '-o', format, '--output-file', path])
    await vi.waitUntil(() => sandbox.faults.list()[0]?.fired === 1, patience)

    stopped.child.kill('SIGINT')
    const ran = await stopped.ended

    expect(ran).toMatchObject({exitCode: 130, stdout: ''})
    expect(filesOf(home)).toEqual([])
  })

  test.for(formats)(
    '%s is exit 12 on a full disk, leaves nothing behind and tells of no rows',
    async (format, {start, home}) => {
      const {run} = await start({batches: 300})
      const path = join(home.path, 'r.out')

      const ran = await run(['reports', 'transactions', ...range, '-o', format, '--output-file', path], {
        through: ['/bin/sh', '-c', 'ulimit -f 16; exec "$@"', 'sh'],
      })

      expect(ran.exitCode).toBe(12)
      expect(ran.stderr).toContain(path)
      expect(ran.stderr).not.toMatch(/\d rows/)
      expect(filesOf(home)).toEqual([])
    },
  )

  test('is a row per line item unless batches are asked for', async ({start, home}) => {
    const {run} = await start({batches: 30})
    const path = join(home.path, 'tx.db')

    await run(['reports', 'transactions', ...range, '--output-file', path])
    await run(['reports', 'transactions', ...range, '--rows', 'batches', '--output-file', path])

    const database = openDatabase(path, {readOnly: true})
    const counts = database.get(
      'SELECT (SELECT count(*) FROM transactions) batches, (SELECT count(DISTINCT id) FROM line_items) ids',
    )
    database.close()
    expect(counts?.['batches']).toBe(counts?.['ids'])
    expect(Number(counts?.['ids'])).toBeGreaterThan(10)
  })
})

describe.concurrent('a database of reads', () => {
  test('that somebody else made is refused before a request', async ({start, home}) => {
    const {run, sandbox} = await start()
    const path = join(home.path, 'other.db')
    const database = openDatabase(path)
    database.exec('CREATE TABLE machines(id)')
    database.close()

    const ran = await run(['machines', 'list', '--output-file', path])

    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain('was not made by vendorctl')
    expect(requestsOf(sandbox)).toEqual({})
  })

  test('needs the columns by which rows are known again', async ({start, home}) => {
    const {run, sandbox} = await start()
    const words = [
      'reports',
      'transactions',
      '--columns',
      'id,lineItem.totalPrice',
      '--output-file',
      join(home.path, 'tx.db'),
    ]

    const ran = await run(words)

    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain('--columns leaves out lineItem.id')
    expect(requestsOf(sandbox)).toEqual({})
    expect(existsSync(join(home.path, 'tx.db'))).toBe(false)
  })
})
