import {promisify} from 'node:util'
import {gzip} from 'node:zlib'
import type {Page} from '../../client/types.js'
import type {Column} from '../../formats/columns.js'
import {createMatch} from '../../formats/conditions.js'
import type {PartFile} from '../../formats/files/part-file.js'
import type {Lost} from '../../formats/flatten.js'
import {createPageRenderer} from '../../formats/outputs/format-table.js'
import type {PageRenderer} from '../../formats/scan/page-renderer.js'
import type {JsonRecord} from '../../values/json.js'
import {orFail} from '../read/row-sink.js'
import type {BesideSegment, Checkpoint, Segment} from './checkpoint.js'
import type {ExportLayout} from './export-types.js'
import type {SeenKeys} from './seen-keys.js'

/** The result of a page that was read. */
export type PageResult = {
  rows: number
  /** Records that were read. */
  records: number
  /** The keys of all records of the page, in order; of those that belong to the export; of those new to this window. */
  keys: readonly string[]
  asked: readonly string[]
  fresh: readonly string[]
  /** Records that this window had already. */
  repeated: number
}

/** A page as the output has it; its bytes are valid until the second page after it is rendered. */
export type Rendered = PageResult & {bytes: Buffer}

/** Turns pages into committed segments, in order. */
export type ExportSink = ReturnType<typeof createExportSink>

export type SinkOptions = {
  renderer: PageRenderer
  file: PartFile
  state: Checkpoint
  seen: SeenKeys
  gzip: boolean
  /** Whether a record belongs to the export at all. */
  isAsked: (seen: JsonRecord) => boolean
  counts: () => Pick<BesideSegment, 'requests' | 'probes'>
}

const compress = promisify(gzip)

export function createExportSink(options: SinkOptions) {
  const {renderer, file, state, seen, isAsked} = options
  const {lost} = renderer.written
  let head: Buffer | undefined = file.size === 0 && state.totals().segments === 0 ? renderer.start() : undefined
  let columns = renderer.columns
  let last: Promise<void> = Promise.resolve()

  const put = async (
    bytes: Buffer,
    {rows, records, keys}: Counted,
    place: Place,
    beside: BesideSegment,
  ): Promise<void> => {
    const body = head && head.length > 0 ? Buffer.concat([head, bytes]) : bytes
    head = undefined
    const settled = renderer.columns !== columns ? renderer.columns : undefined
    columns = renderer.columns
    const all = {...beside, ...(settled && {columns: JSON.stringify(settled)}), lost: JSON.stringify([...lost])}
    await last
    last = write(body, {...place, rows, records, keys}, all)
    last.catch(() => undefined) // reported where it is waited for next
  }

  const write = async (
    body: Buffer,
    segment: Omit<Segment, 'byteOffset' | 'bytes' | 'sha256'>,
    beside: BesideSegment,
  ) => {
    const isNeeded = body.length > 0 || (segment.page === 0 && file.size === 0) // an empty file is not valid gzip
    const bytes = options.gzip && isNeeded ? await compress(body) : body
    const byteOffset = file.size
    if (bytes.length > 0) await file.append(bytes)
    state.commit({...segment, byteOffset, bytes: bytes.length, sha256: file.digest()}, beside)
  }

  return {
    /** Makes bytes of the new records of a page; `again` when the window was read before. */
    render(page: Page, again: boolean): Rendered {
      const keys: string[] = []
      const fresh: string[] = []
      const asked: string[] = []
      let repeated = 0
      const take = (record: JsonRecord, key: string): boolean => {
        page.check(record)
        keys.push(key)
        const found = seen.find(key, again)
        seen.add(key)
        if (found === 'window') repeated++
        else fresh.push(key)
        if (!isAsked(record)) return false
        asked.push(key)
        return found === undefined
      }
      const {bytes, rows, ids} = orFail(page, () => renderer.page(page.elements, take))
      return {bytes, rows, records: ids.length, keys, asked, fresh, repeated}
    },
    /** Puts a page behind all that came before; it is committed at the latest when `settle` returns. */
    commit: ({bytes, rows, records, asked}: Rendered, place: Place, facts: string) =>
      put(bytes, {rows, records, keys: asked}, place, {facts, ...options.counts()}),
    /** Writes what follows the last page. */
    end: (partition: number) =>
      put(renderer.end(), {rows: 0, records: 0, keys: []}, {partition, page: 0, size: 0}, options.counts()),
    settle: () => last,
  }
}

type Counted = Pick<Segment, 'rows' | 'records' | 'keys'>
type Place = Pick<Segment, 'partition' | 'page' | 'size'>

/** State that an earlier run of the same export left. */
export type Left = {columns?: readonly Column[] | undefined; rows: number; lost?: Lost}

/** Renders the pages of an export from bytes to bytes. */
export function createExportRenderer(
  layout: ExportLayout,
  look: readonly string[],
  {columns: settled, rows: rowsBefore, lost = new Map()}: Left,
): Promise<PageRenderer> {
  const {format, columns, lines, chosen, where, dialect, delimiter} = layout
  const shown = {columns, lines, chosen, dialect, delimiter, settled, rowsBefore, lost}
  return createPageRenderer(format, {...shown, ...createMatch({where, look}, columns, lines)})
}
