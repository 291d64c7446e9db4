import type {Format} from '../../formats/names.js'
import {createRenderer} from '../../formats/write/renderer.js'
import type {RendererOptions} from '../../formats/write/writers.js'
import {type JsonRecord, parseJson} from '../../values/json.js'
import type {Envelope} from '../app/envelope.js'
import type {Sink} from '../terminal/output.js'

/** Turns pages of records into output. A page that fails halfway leaves nothing behind. */
export type RecordSink = {
  page(records: Iterable<JsonRecord>): Promise<void>
  end(): Promise<void>
  readonly rows: number
  /** Values that no column could show, by field. */
  readonly lost: ReadonlyMap<string, number>
  readonly notes: readonly string[]
  /** The data of the envelope: undefined where it was written there already, null where a file has it. */
  readonly data: JsonRecord[] | undefined | null
}

export type RenderOptions = RendererOptions & {format: Format}

/** Renders into a target, page by page. */
export async function createTextSink(
  target: Sink & {end?: () => Promise<void>},
  options: RenderOptions,
  data: RecordSink['data'] = null,
): Promise<RecordSink> {
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
      await target.end?.()
    },
    get rows() {
      return rows
    },
    lost: renderer.lost,
    get notes() {
      return renderer.notes
    },
    data,
  }
}

/** Keeps the records, with the chosen columns only, for an envelope that shows more than them. */
export async function createKeepingSink(options: RendererOptions): Promise<RecordSink> {
  const kept: JsonRecord[] = []
  const keep = async (lines: readonly string[]) => {
    for (const line of lines) kept.push(parseJson(line) as JsonRecord)
  }
  return createLineSink({take: keep, data: kept}, options)
}

/** Writes records into the envelope as they come; without any, the list is empty. */
export async function createEnvelopeSink(
  envelope: Envelope,
  output: Sink,
  options: RendererOptions,
): Promise<RecordSink> {
  const write = async (lines: readonly string[]) => {
    for (const piece of envelope.elements(lines)) await output.write(piece)
  }
  return createLineSink({take: write, data: undefined}, options)
}

type Lines = {take: (lines: readonly string[]) => Promise<void>; data: RecordSink['data']}

/** Takes each record as a line of JSON, and no lines at the end. */
function createLineSink({take, data}: Lines, options: RendererOptions): Promise<RecordSink> {
  const write: Sink['write'] = (text) => take(String(text).split('\n').filter(Boolean))
  return createTextSink({write, end: () => take([])}, {...options, format: 'ndjson'}, data)
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

async function writeAll(target: Sink, chunks: readonly string[]): Promise<void> {
  for (const chunk of chunks) if (chunk !== '') await target.write(chunk)
}
