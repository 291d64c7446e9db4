import {describe, expect, test} from 'vitest'
import {columnsOf} from '../../src/formats/columns.js'
import type {PartFile} from '../../src/formats/part-file.js'
import {createExportRenderer} from '../../src/reports/export-renderer.js'
import {readAllWindows} from '../../src/reports/export-run.js'
import {createExportSink} from '../../src/reports/export-sink.js'
import type {ExportLayout, ExportOptions} from '../../src/reports/export-types.js'
import {type Grade, worst} from '../../src/reports/grade.js'
import {gradeOf, type PartFacts} from '../../src/reports/part-facts.js'
import {createSeenKeys} from '../../src/reports/seen-keys.js'
import {createWindows} from '../../src/reports/windows.js'
import {createRandom, pickInteger, type Random} from '../../src/sandbox/random.js'
import {openDatabase} from '../../src/sqlite.js'
import {exportStateOf} from '../../src/state/export-state.js'
import {exportSchema} from '../../src/state/export-tables.js'
import {createFakeClient, type FakeOptions, type FakeRow} from './fake-service.js'

const start = '2024-01-01T00:00:00'
const end = '2024-02-25T00:00:00'
const minute = 60_000
const layout: ExportLayout = {format: 'ndjson', gzip: false, rows: 'batches', columns: columnsOf({}), where: []}

function createMemoryFile(chunks: Buffer[]): PartFile {
  return {
    append: async (bytes) => void chunks.push(Buffer.from(bytes)),
    get size() {
      return chunks.reduce((sum, {length}) => sum + length, 0)
    },
    digest: () => '',
    publish: async () => undefined,
    close: async () => undefined,
  }
}

type Read = {ids: string[]; grade: Grade; requests: number; probes: number; drift: string[]}

/** Reads a service through all of the engine but files and commands. */
async function readExport(fake: FakeOptions, changes: Partial<ExportOptions>): Promise<Read> {
  const client = createFakeClient(fake)
  const chunks: Buffer[] = []
  const database = openDatabase(':memory:')
  database.exec(exportSchema)
  const state = exportStateOf(database)
  const windows = createWindows(start, end, 31)
  state.begin({identity: '{}', frozen: '{}'}, JSON.stringify(windows.left))
  const seen = createSeenKeys()
  const counts = {requests: 0, probes: 0}
  const renderer = await createExportRenderer(layout, [], {rows: 0})
  const options = {
    client,
    layout,
    ask: {filters: {}, start, end, moving: {}, timeBasis: 'local'},
    pageSize: 10,
    pagesInFlight: 1,
    probes: true,
    requireGrade: 'C',
    onNotice: () => undefined,
    onProgress: () => undefined,
    ...changes,
  } as unknown as ExportOptions
  const sink = createExportSink({
    ...{renderer, file: createMemoryFile(chunks), state, seen, gzip: false, isAsked: () => true, lost: new Map()},
    counts: () => ({...counts}),
  })

  await readAllWindows({options, state, sink, seen, windows, counts})

  const parts = state.parts().map(({facts}) => JSON.parse(facts) as PartFacts)
  state.close()
  const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean)
  return {
    ids: lines.map((line) => (JSON.parse(line) as {id: string}).id),
    grade: worst(parts.filter((part) => part.state !== 'again').map(gradeOf)),
    requests: client.requests,
    probes: counts.probes,
    drift: parts.flatMap(({drift}) => drift),
  }
}

type History = {
  rows: FakeRow[]
  alive: Set<number>
  ever: Set<number>
  list: () => readonly FakeRow[]
  between: () => void
  changes: number
}

const orders = ['ascending', 'newest first', 'by time', 'shuffled'] as const
type OrderName = (typeof orders)[number]
type Shape = {
  order: OrderName
  count: number
  inserts: number
  deletes: number
  late: number
  /** Milliseconds from the first record to the last: within a second, no narrower window parts them. */
  span: number
}

/** A list of the service that changes between answers; `alive` are the rows that were there all the time. */
function createHistory(random: Random, {order, count, inserts, deletes, late, span}: Shape): History {
  const at = (time: number) => new Date(Date.parse(`${start}Z`) + time).toISOString().slice(0, 19)
  const rows = Array.from({length: count}, (_, index) => ({id: 1_000 + index, at: at((index * span) / count)}))
  const alive = new Set(rows.map(({id}) => id))
  const ever = new Set(alive)
  let next = 1_000 + count
  const history = {rows, alive, ever, list, between, changes: 0}
  return history

  function between() {
    if (random() < deletes && rows.length > 0) {
      const [row] = rows.splice(pickInteger(random, 0, rows.length - 1), 1)
      alive.delete(row?.id ?? 0)
      history.changes++
    }
    if (random() < inserts) insert(at(Math.max(0, span - minute - pickInteger(random, 0, 1_000) * 1_000)))
    if (random() < late) insert(at(random() * span))
  }

  function insert(time: string) {
    rows.push({id: next, at: time})
    ever.add(next++)
    history.changes++
  }

  function list(): readonly FakeRow[] {
    if (order === 'ascending') return rows
    if (order === 'newest first') return [...rows].sort((one, other) => other.id - one.id)
    if (order === 'by time') return [...rows].sort((one, other) => (one.at < other.at ? -1 : 1))
    return rows
      .map((row) => ({row, key: random()}))
      .sort((one, other) => one.key - other.key)
      .map(({row}) => row)
  }
}

const whole = Date.parse(`${end}Z`) - Date.parse(`${start}Z`)

function pickShape(random: Random): Shape {
  const rate = () => (pickInteger(random, 0, 1) === 0 ? 0 : random() * random())
  const order = random() < 0.1 ? 'shuffled' : (orders[pickInteger(random, 0, 2)] ?? 'ascending')
  const span = random() < 0.1 ? 900 : whole
  return {order, count: pickInteger(random, 0, 100), inserts: rate(), deletes: rate(), late: rate() / 2, span}
}

const turn = (random: Random) => async () => {
  for (let turns = pickInteger(random, 0, 3); turns > 0; turns--) await Promise.resolve()
}

describe('1,000 histories of a service that changes while it is read', () => {
  test.each(Array.from({length: 10}, (_, block) => block))('block %i', async (block) => {
    const tally = {A: 0, B: 0, C: 0, D: 0, changed: 0, drifted: 0}
    for (let number = block * 100; number < (block + 1) * 100; number++) {
      const random = createRandom(number + 77)
      const shape = pickShape(random)
      const history = createHistory(random, shape)
      const pagesInFlight = pickInteger(random, 1, 5)
      const requireGrade = random() < 0.2 ? 'A' : 'C'

      const read = await readExport(
        {list: history.list, between: history.between, wait: turn(random)},
        {pagesInFlight, requireGrade},
      )

      const label = `history ${number}: ${JSON.stringify(shape)}, ${pagesInFlight} in flight, grade ${read.grade}`
      const ids = new Set(read.ids)
      expect(read.requests, label).toBeLessThan(1_000)
      expect(ids.size, label).toBe(read.ids.length)
      expect(
        read.ids.filter((id) => !history.ever.has(Number(id.slice(1)))),
        label,
      ).toEqual([])
      const missing = [...history.alive].filter((id) => !ids.has(`B${id}`))
      if (read.grade === 'A' || read.grade === 'B') expect(missing, label).toEqual([])
      if (missing.length > 0) expect(read.grade, label).toBe('D')
      tally[read.grade]++
      if (history.changes > 0) tally.changed++
      if (read.drift.length > 0) tally.drifted++
    }

    expect(tally.changed).toBeGreaterThan(40)
    expect(tally.drifted).toBeGreaterThan(10)
    expect(tally.D).toBeGreaterThan(0)
    expect(tally.A + tally.B).toBeGreaterThan(60)
  })
})
