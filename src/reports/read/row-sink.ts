import type {Page, ReadRequest} from '../../client/types.js'
import type {Column} from '../../formats/columns.js'
import type {Lost} from '../../formats/flatten.js'
import {createPageRenderer, type Format} from '../../formats/outputs/format-table.js'
import {
  createSortedRows,
  isScanned,
  type PageRendererOptions,
  printAnswer,
  type SortedOptions,
  type Take,
} from '../../formats/scan/page-renderer.js'
import type {FileWriter} from '../../formats/write/file-writer.js'
import type {Elements} from '../../values/elements.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {checked, orFail} from './checked-page.js'

/** Turns rows into output. A page that fails halfway leaves nothing behind. */
export type RowSink = {
  /** Cuts answers into records as this sink takes them, for `ReadRequest`. */
  readonly split: NonNullable<ReadRequest['split']>
  /** Throws the `CliFailure` of a page that does not hold what was asked for, before any of it is written. */
  page(page: Page, take: Take): Promise<void>
  /** Takes records that are no answer: they are printed once, and scanned as all others. */
  records(records: Iterable<JsonRecord>): Promise<void>
  end(): Promise<void>
  /** What became of the rows so far. */
  written(): Written
}

/** What became of rows. */
export type Written = {
  readonly rows: number
  /** Values that no column could show, by field. */
  readonly lost: ReadonlyMap<string, number>
  readonly notes: readonly string[]
  /** The data of the envelope: undefined where it was written there already, null where a file has it. */
  readonly data: JsonValue | undefined
  /** The limit is reached: no further page can add a row. */
  readonly isFull: boolean
  /** The limit kept back at least one row. */
  readonly isCut: boolean
}

/** A sink of answers; `all` takes every record without looking at its key. */
type AnswerSink = {
  readonly split: NonNullable<ReadRequest['split']>
  put(answer: Elements, take: Take | 'all'): Promise<void>
  end(): Promise<void>
  written(): Omit<Written, 'data'>
}

/** How rows are put in order before they are written; `signal` ends the writing. */
export type Order = Pick<SortedOptions, 'by' | 'limit' | 'folder' | 'learns'> & {signal: AbortSignal}

export type Opening = {
  /** Opens what takes the rows; `options` have columns of unknown fields too where rows were sorted before. */
  open: (options: PageRendererOptions) => Promise<AnswerSink>
  options: PageRendererOptions
  order?: Order | undefined
  data: Written['data']
}

/** Records of a page of their own: a few pages are faster than one, and take less memory. */
const recordsPerAnswer = 1_000

/** Rows go through conditions, then into their order, then to what is opened. */
export async function openRows({open, options, order, data}: Opening): Promise<RowSink> {
  const sink = order ? await createSorted(open, options, order) : await open(options)
  return {
    split: sink.split,
    page: (page, take) => orFail(page, () => sink.put(page.elements, checked(page, take))),
    async records(records) {
      const all = [...records]
      for (let at = 0; at < all.length; at += recordsPerAnswer)
        await sink.put(sink.split(printAnswer(all.slice(at, at + recordsPerAnswer))), 'all')
    },
    end: () => sink.end(),
    written: () => ({...sink.written(), data}),
  }
}

/** Takes bytes, and how many rows there are with them. */
export type WriteRows = (bytes: Buffer, rows: number) => Promise<void>

/** Renders page by page; each page is one write, and the end is one also where nothing is left. */
export async function createText(
  write: WriteRows,
  format: Format | 'elements',
  options: PageRendererOptions,
): Promise<AnswerSink> {
  const renderer = await createPageRenderer(format, options)
  const lost: Lost = new Map()
  let head: Buffer | undefined = renderer.start()
  let rows = 0

  return {
    split: renderer.scan,
    async put(answer, take) {
      const {bytes: body} = answer
      const rendered = renderer.page(answer, take)
      for (const [name, count] of rendered.lost) lost.set(name, (lost.get(name) ?? 0) + count)
      rows += rendered.rows
      free(body)
      if (renderer.isHolding) return // also what stands before the first row
      const bytes = withHead(rendered.bytes)
      if (bytes.length > 0) await write(bytes, rows)
    },
    end: () => write(withHead(renderer.end(lost)), rows),
    written: () => ({rows, lost, notes: renderer.notes, isFull: renderer.isFull, isCut: renderer.isCut}),
  }

  function withHead(bytes: Buffer): Buffer {
    const all = head && head.length > 0 ? Buffer.concat([head, bytes]) : bytes
    head = undefined
    return all
  }
}

/** Writes rows to a file that is no text. */
export function createFile(writer: FileWriter): AnswerSink {
  let rows = 0
  return {
    split: writer.scan,
    async put(answer, take) {
      rows += await writer.page(answer, take)
    },
    end: () => writer.end(),
    written: () => ({rows, lost: writer.lost, notes: writer.notes, isFull: writer.isFull, isCut: writer.isCut}),
  }
}

/** Writes nothing before the last page. */
async function createSorted(
  open: Opening['open'],
  options: PageRendererOptions,
  {signal, ...order}: Order,
): Promise<AnswerSink> {
  const {limit: _most, ...all} = options
  const {match: _asked, keep: _kept, look: _seen, names: _known, ...rest} = all
  const sorted = createSortedRows({...all, ...order})
  const openWith = (unknown: readonly Column[]) => open({...rest, columns: [...options.columns, ...unknown]})
  let sink = await openWith([])

  return {
    split: sorted.scan,
    async put(answer, take) {
      const {bytes: body} = answer
      sorted.page(isScanned(answer) ? answer : sorted.scan(body), take)
      free(body)
    },
    async end() {
      const unknown = sorted.unknown()
      if (unknown.length > 0) sink = await openWith(unknown) // nothing was written yet
      for (const answer of sorted.answers()) {
        signal.throwIfAborted()
        await sink.put(sink.split(answer), 'all')
      }

      await sink.end()
    },
    written: () => ({...sink.written(), isFull: false, isCut: sorted.isCut}),
  }
}

/** Frees the bytes of a large page that was rendered; pages come faster than garbage is collected. */
function free({buffer, length}: Buffer): void {
  if (length > Buffer.poolSize && length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
