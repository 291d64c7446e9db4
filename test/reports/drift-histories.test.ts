import {expect, test} from 'vitest'
import {openDatabase} from '../../src/core/sqlite.js'
import {columnsOf} from '../../src/formats/columns.js'
import type {PartFile} from '../../src/formats/files/part-file.js'
import {checkpointOf, exportSchema} from '../../src/reports/export/checkpoint.js'
import type {ReadingOptions} from '../../src/reports/export/export-reading.js'
import {createExportRenderer, createExportSink} from '../../src/reports/export/export-sink.js'
import type {ExportLayout} from '../../src/reports/export/export-types.js'
import {follow} from '../../src/reports/export/follow-events.js'
import {type Grade, worst} from '../../src/reports/export/manifest.js'
import {readAllWindows} from '../../src/reports/export/read-windows.js'
import {createSeenKeys} from '../../src/reports/export/seen-keys.js'
import {gradeOf, type WindowFacts} from '../../src/reports/export/window-facts.js'
import {createWindows, restoreWindows, type WindowsLeft} from '../../src/reports/read/windows.js'
import {createRandom, pickInteger, type Random} from '../../src/sandbox/seed/random.js'
import {createFakeClient, type FakeOptions} from './fake-service.js'
import {createHistory, end, pickShape, shuffle, start} from './histories.js'

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
    discard: async () => undefined,
  }
}

type Read = {ids: string[]; grade: Grade; requests: number; drift: string[]}

/** Gives the command; after a stop it goes on. */
type Run = () => Promise<Read>

/** Reads a service through all of the engine but files and commands. */
function createExport(fake: FakeOptions, changes: Partial<ReadingOptions>): Run {
  const client = createFakeClient(fake)
  const chunks: Buffer[] = []
  const database = openDatabase(':memory:')
  database.exec(exportSchema)
  const state = checkpointOf(database)
  state.begin({identity: '{}', frozen: '{}'}, JSON.stringify(createWindows(start, end, 14).left))
  const options = {
    client,
    ask: {report: 'reports.transactions', filters: {}},
    pageSize: 10,
    pagesInFlight: 1,
    probes: true,
    requireGrade: 'C',
    before: {isFirst: true, keys: []},
    isNamed: false,
    ...changes,
  } as const satisfies ReadingOptions
  const file = createMemoryFile(chunks)
  return run

  async function run(): Promise<Read> {
    const seen = createSeenKeys()
    const counts = state.counts()
    const renderer = await createExportRenderer(layout, [], {rows: state.totals().rows})
    const windows = restoreWindows(JSON.parse(state.facts()?.windows ?? '') as WindowsLeft)
    const lost = new Map<string, number>()
    const sink = createExportSink({
      ...{renderer, file, state, seen, gzip: false, isAsked: () => true, lost},
      counts: () => ({...counts}),
    })

    await follow(readAllWindows({options, state, sink, seen, windows, counts}), () => undefined).finally(() =>
      sink.settle(),
    )

    const parts = state.windows().map(({facts}) => JSON.parse(facts) as WindowFacts)
    const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean)
    return {
      ids: lines.map((line) => (JSON.parse(line) as {id: string}).id),
      grade: worst(parts.filter((part) => part.state !== 'again').map(gradeOf)),
      requests: client.requests,
      drift: parts.flatMap(({drift}) => drift),
    }
  }
}

const turn = (random: Random) => async () => {
  for (let turns = pickInteger(random, 0, 3); turns > 0; turns--) await Promise.resolve()
}

class Stop extends Error {}

async function untilDone(run: Run): Promise<Read> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    return untilDone(run)
  }
}

test('300 histories of a service that changes while it is read', async () => {
  const tally = {A: 0, B: 0, C: 0, D: 0, changed: 0, drifted: 0}
  for (let number = 0; number < 300; number++) {
    const random = createRandom(number + 77)
    const shape = pickShape(random)
    const history = createHistory(random, shape)
    const pagesInFlight = pickInteger(random, 1, 5)
    const requireGrade = random() < 0.2 ? 'A' : 'C'

    let stops = random() < 0.3 ? pickInteger(random, 1, 3) : 0
    const between = () => {
      if (stops > 0 && random() < 0.15) {
        stops--
        throw new Stop()
      }
      history.between()
    }
    const run = createExport({list: history.list, between, wait: turn(random)}, {pagesInFlight, requireGrade})
    const read = await untilDone(run)

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
    if (read.grade === 'D') {
      history.calm()
      const {ids: all, grade} = await untilDone(run)
      expect(grade, label).not.toBe('D')
      expect(new Set(all).size, label).toBe(all.length)
      expect(
        [...history.alive].filter((id) => !all.includes(`B${id}`)),
        label,
      ).toEqual([])
    }
    tally[read.grade]++
    if (history.changes > 0) tally.changed++
    if (read.drift.length > 0) tally.drifted++
  }

  expect(tally.changed).toBeGreaterThan(150)
  expect(tally.drifted).toBeGreaterThan(45)
  expect(tally.D).toBeGreaterThan(2)
  expect(tally.A + tally.B).toBeGreaterThan(210)
})

test('a record on the edge of a window that is read again is known from the one before, and comes once', async () => {
  const random = createRandom(7)
  const [edge, after] = ['2024-01-15T00:00:00', '2024-01-15T00:00:01'] // the first window ends there
  const rows = [{id: 1, at: edge}, ...Array.from({length: 40}, (_, index) => ({id: 2 + index, at: after}))]
  const hidden = rows.slice(1)
  let requests = 0
  let isCalm = false
  const list = () => (isCalm ? rows : shuffle(requests === 1 ? rows : hidden, random))
  const run = createExport({list, between: () => void requests++, wait: async () => undefined}, {})

  const moving = await run()
  isCalm = true
  const calm = await run()

  expect([moving.grade, calm.grade]).toEqual(['D', 'B'])
  expect(calm.ids.sort()).toEqual(rows.map(({id}) => `B${id}`).sort())
})
