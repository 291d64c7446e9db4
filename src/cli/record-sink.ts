import type {Column} from '../formats/columns.js'
import type {DialectName, Format} from '../formats/names.js'
import {createRenderer} from '../formats/renderer.js'
import {type JsonRecord, parseJson} from '../values/json.js'
import type {TextTarget} from './text-target.js'

/** Takes pages of records and makes output of them. A page that fails in its middle leaves nothing behind. */
export type RecordSink = {
  page(records: Iterable<JsonRecord>): Promise<void>
  end(): Promise<void>
  readonly rows: number
  /** Values that no column could show, by field. */
  readonly lost: ReadonlyMap<string, number>
  readonly notes: readonly string[]
  /** The records themselves, when they are kept for the envelope. */
  readonly kept: JsonRecord[] | undefined
}

export type RenderOptions = {
  format: Format
  columns: readonly Column[]
  chosen?: readonly string[]
  dialect?: DialectName
  delimiter?: string
  width?: number
  color?: boolean
  lookAhead?: number
}

/** Renders into a target, page by page. */
export async function createTextSink(target: TextTarget, options: RenderOptions): Promise<RecordSink> {
  const {format, ...rest} = options
  const renderer = await createRenderer(format, rest)
  let rows = 0
  let started = false

  return {
    async page(records) {
      const head = started ? '' : renderer.start()
      started = true
      const counter = countRecords(records)
      const chunks = [...renderer.page(counter.records)]
      rows += counter.count()
      await writeAll(target, [head, ...chunks])
    },
    async end() {
      await writeAll(target, [started ? '' : renderer.start(), renderer.end()])
    },
    get rows() {
      return rows
    },
    lost: renderer.lost,
    get notes() {
      return renderer.notes
    },
    kept: undefined,
  }
}

/** Keeps the records for the envelope of `--json`, with the chosen columns only. */
export async function createKeepingSink(options: Omit<RenderOptions, 'format'>): Promise<RecordSink> {
  const kept: JsonRecord[] = []
  const target = createMemoryTarget((line) => kept.push(parseJson(line) as JsonRecord))
  const chosen = options.chosen && (await createTextSink(target, {...options, format: 'ndjson'}))
  const keep = async (records: Iterable<JsonRecord>) => {
    const page = [...records]
    for (const record of page) kept.push(record)
  }

  return {
    page: (records) => (chosen ? chosen.page(records) : keep(records)),
    end: async () => chosen?.end(),
    get rows() {
      return kept.length
    },
    lost: new Map(),
    notes: [],
    kept,
  }
}

function createMemoryTarget(take: (line: string) => void): TextTarget {
  const done = async () => undefined
  return {
    path: undefined,
    write: async (text) => String(text).split('\n').filter(Boolean).forEach(take),
    commit: done,
    discard: done,
  }
}

function countRecords(records: Iterable<JsonRecord>): {records: Iterable<JsonRecord>; count: () => number} {
  let count = 0
  return {records: pass(), count: () => count}

  function* pass(): Generator<JsonRecord, void, void> {
    for (const record of records) {
      count++
      yield record
    }
  }
}

async function writeAll(target: TextTarget, chunks: readonly string[]): Promise<void> {
  for (const chunk of chunks) if (chunk !== '') await target.write(chunk)
}
