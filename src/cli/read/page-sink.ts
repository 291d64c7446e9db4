import type {Page, ReadRequest} from '../../client/types.js'
import type {Lost} from '../../formats/flatten.js'
import type {LineNames} from '../../formats/lines.js'
import type {FileFormat} from '../../formats/names.js'
import {
  createPageRenderer,
  createSortedRenderer,
  type PageRendererOptions,
  type RenderedFormat,
  type SortedOptions,
  type SortedRenderer,
  type Take,
} from '../../formats/scan/page-renderer.js'
import {failureOf} from '../../reports/export/export-renderer.js'
import type {Envelope} from '../app/envelope.js'
import {stopSignal} from '../app/signals.js'
import type {Sink} from '../terminal/output.js'
import {type FileSinkOptions, findPageWriter} from './file-sink.js'
import type {RecordSink} from './record-sink.js'
import type {TextTarget} from './text-target.js'

/** How the rows of a read come from its answers. */
export type PagedRows = {
  /** Dotted names of the fields that the checks of a page look at. */
  look: readonly string[]
  /** Given, a record becomes one row for each element of its list. */
  lines?: LineNames
}

/** Turns scanned answers into output. A page that fails halfway leaves nothing behind. */
export type PageSink = Omit<RecordSink, 'page'> & {
  /** Cuts answers into records as this sink takes them, for `ReadRequest`. */
  readonly split: NonNullable<ReadRequest['split']>
  /** Throws the `CliFailure` of a page that does not hold what was asked for, before any of it is written. */
  page(page: Page, take: Take): Promise<void>
  /** The limit kept back at least one row. */
  readonly isCut?: boolean
}

/** How rows are put in order before they are written. */
export type Order = Pick<SortedOptions, 'by' | 'limit' | 'folder'>

/** Renders into a target, page by page; each page is one write. */
export function createTextPages(
  target: Sink,
  format: RenderedFormat,
  options: PageRendererOptions,
  order?: Order,
): Promise<PageSink> {
  const write = async (bytes: Buffer) => {
    if (bytes.length > 0) await target.write(bytes)
  }
  if (order) return createSortedPages(write, format, {...options, ...order}, null)
  return createRenderedPages(write, format, options, null)
}

/** Writes records into the envelope as they come; without any, the list is empty. */
export function createEnvelopePages(
  envelope: Envelope,
  output: Sink,
  options: PageRendererOptions,
  order?: Order,
): Promise<PageSink> {
  const write = async (bytes: Buffer, rows: number) => {
    for (const piece of envelope.laidOut(bytes, rows)) await output.write(piece)
  }
  if (order) return createSortedPages(write, 'elements', {...options, ...order}, undefined)
  return createRenderedPages(write, 'elements', options, undefined)
}

/** Writes nothing before the last page. */
async function createSortedPages(
  write: (bytes: Buffer, rows: number) => Promise<void>,
  format: RenderedFormat,
  options: SortedOptions,
  data: PageSink['data'],
): Promise<PageSink> {
  const renderer = await createSortedRenderer(format, options)
  let written = 0

  return {
    ...toSorted(renderer),
    async end() {
      for (const {bytes, rows} of renderer.pieces()) {
        stopSignal.throwIfAborted()
        await write(bytes, rows)
        written += rows
      }
    },
    get rows() {
      return written
    },
    get isCut() {
      return renderer.isCut
    },
    lost: new Map(),
    notes: [],
    data,
  }
}

/** Gives pages to a renderer that sorts their rows. */
export function toSorted(renderer: SortedRenderer): Pick<PageSink, 'split' | 'page'> {
  return {
    split: renderer.scan,
    async page(page, take) {
      const {body} = page
      await orFail(page, () => renderer.page(page.elements, checked(page, take)))
      free(body)
    },
  }
}

async function createRenderedPages(
  write: (bytes: Buffer, rows: number) => Promise<void>,
  format: RenderedFormat,
  options: PageRendererOptions,
  data: PageSink['data'],
): Promise<PageSink> {
  const renderer = await createPageRenderer(format, options)
  const lost: Lost = new Map()
  let head: Buffer | undefined = renderer.start()
  let rows = 0

  return {
    split: renderer.scan,
    async page(page, take) {
      const {body} = page
      const rendered = await orFail(page, () => renderer.page(page.elements, checked(page, take)))
      for (const [name, count] of rendered.lost) lost.set(name, (lost.get(name) ?? 0) + count)
      rows += rendered.rows
      free(body)
      const bytes = withHead(rendered.bytes)
      if (bytes.length > 0) await write(bytes, rendered.rows)
    },
    end: () => write(withHead(renderer.end(lost)), 0),
    get rows() {
      return rows
    },
    lost,
    notes: [],
    data,
  }

  function withHead(bytes: Buffer): Buffer {
    const all = head && head.length > 0 ? Buffer.concat([head, bytes]) : bytes
    head = undefined
    return all
  }
}

/** Writes rows to a file that is no text. */
export async function createFilePages(
  format: FileFormat,
  target: TextTarget,
  options: FileSinkOptions & PageRendererOptions,
): Promise<PageSink> {
  const {createPageFileWriter} = await import('../../formats/write/page-row-writer.js')
  const writer = createPageFileWriter(options, await findPageWriter(format, target, options))
  let rows = 0

  return {
    split: writer.scan,
    async page(page, take) {
      rows += await orFail(page, () => writer.page(page.elements, checked(page, take)))
    },
    end: () => writer.end(),
    get rows() {
      return rows
    },
    lost: writer.lost,
    get notes() {
      return writer.notes
    },
    data: null,
  }
}

/** Frees the bytes of a large page that was rendered; pages come faster than garbage is collected. */
function free({buffer, length}: Buffer): void {
  if (length > Buffer.poolSize && length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** What `work` throws at a page, as the failure that its records would end in. */
export async function orFail<Result>(page: Page, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw failureOf(page, error)
  }
}

/** Has each record checked for what was asked for, first. */
export function checked(page: Page, take: Take): Take {
  return (seen, key, index) => {
    page.check(seen)
    return take(seen, key, index)
  }
}
