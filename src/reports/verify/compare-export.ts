import {mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {allFieldsOf, reportOperation} from '../../contract/index.js'
import type {ErrorEntry} from '../../core/errors.js'
import {makePrivateFolder} from '../../core/private-file.js'
import {stateFailure} from '../../core/state-failure.js'
import {columnsOf, toColumn, toPath} from '../../formats/columns.js'
import type {PartFile} from '../../formats/files/part-file.js'
import {lineColumns, lineNamesOf} from '../../formats/lines.js'
import type {DialectName} from '../../formats/names.js'
import type {PageFormat} from '../../formats/outputs/format-table.js'
import {toDateTime, toMilliseconds} from '../../values/date-time.js'
import {rangesOf} from '../export/append-base.js'
import {runExport} from '../export/export.js'
import type {
  ExportAsk,
  ExportEngine,
  ExportLayout,
  ExportOrder,
  FileEvent,
  ReadingEvent,
} from '../export/export-types.js'
import {through} from '../export/follow-events.js'
import type {Manifest} from '../export/manifest.js'
import {type Comparison, createComparison} from './compare-records.js'
import {openExported} from './count-rows.js'
import type {Change} from './found-changes.js'

/** Result of comparing the records of the service with those of a file. */
export type Compared = {
  changes: Change[]
  compared: number
  ranges: [string, string][]
  /** Why the comparison itself is not to be trusted: the data changed while it was read. */
  errors: ErrorEntry[]
}

/** Parts into which a range is cut to read some of them. */
const slices = 100

export type CompareOptions = {
  engine: ExportEngine
  /** Share of the range that is read, 0 to 1; removed records are found only by 1. */
  share: number
  random: () => number
}

/**
 * Reads what a file was exported from once more and compares record by record. Both are rendered in the same way, so
 * that only differences of the service count. What is read is compared as it comes, and kept nowhere. Time: that of an
 * export and of reading the file.
 */
export async function* compareExport(
  path: string,
  manifest: Manifest,
  {engine, share, random}: CompareOptions,
): AsyncGenerator<ReadingEvent, Compared, void> {
  const file = await openExported(path)
  const folder = makeFolder(engine.folder)
  const ranges = pickRanges(manifest, share, random)
  const isComplete = share >= 1
  const oneByOne = !isComplete || manifest.where.length > 0
  const comparison = createComparison(file, {...manifest, file: path, oneByOne})
  try {
    await comparison.open()
    const errors: ErrorEntry[] = []
    let keys: readonly string[] = []
    let read = 0
    for (const [index, range] of ranges.entries()) {
      const [nextStart] = ranges[index + 1] ?? []
      const order: ExportOrder = {
        ask: toAsk(manifest, range),
        layout: toLayout(manifest),
        path: join(folder, String(index)),
        into: toFile(comparison),
        ...{overwrite: true, fresh: true, append: false, skipEmpty: false, requireGrade: 'D', isNamed: false},
        before: {isFirst: false, keys},
        history: {startOver: '--fresh', resume: '', rows: 0, ended: '', movedBy: undefined},
      }
      const outcome = yield* through(runExport({...engine, folder}, order), async (event) => {
        if (event.kind === 'written' && nextStart !== undefined) keys = event.keysSince(nextStart)
        return isOfReading(event) ? [event] : []
      })
      await comparison.endExport()
      errors.push(...outcome.errors)
      read += outcome.manifest.batches
    }

    const changes = await comparison.end(isComplete)
    return {changes, compared: oneByOne ? comparison.settled : read, ranges, errors}
  } finally {
    await comparison.close()
    rmSync(folder, {recursive: true, force: true})
  }
}

function isOfReading(event: FileEvent): event is ReadingEvent {
  return ['forecast', 'page', 'clamp', 'notice'].includes(event.kind)
}

/** Takes the bytes of an export in the place of its file. */
function toFile(comparison: Comparison): PartFile {
  let size = 0
  const nothing = async () => undefined
  return {
    async append(bytes) {
      await comparison.take(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
      size += bytes.length
    },
    get size() {
      return size
    },
    digest: () => '',
    publish: nothing,
    close: nothing,
    discard: nothing,
  }
}

function pickRanges(manifest: Manifest, share: number, random: () => number): [string, string][] {
  const read = rangesOf(manifest)
  if (share >= 1) return read
  const all = read.flatMap(cutRange).map((range) => ({range, key: random()}))
  const picked = all.sort((one, other) => one.key - other.key).slice(0, Math.max(1, Math.round(all.length * share)))
  return picked.map(({range}) => range).sort()
}

/** Makes an empty folder for the comparison. Throws `storage`. */
function makeFolder(parent: string): string {
  try {
    makePrivateFolder(parent)
    return mkdtempSync(join(parent, 'compare-'))
  } catch (error) {
    throw stateFailure(error, 'The folder of exports', parent)
  }
}

function cutRange([start, end]: [string, string]): [string, string][] {
  const [from, to] = [toMilliseconds(start) ?? 0, toMilliseconds(end) ?? 0]
  const boundaryOf = (slice: number) =>
    toDateTime(slice === slices ? to : from + Math.floor(((to - from) * slice) / slices))
  return Array.from({length: slices}, (_, slice) => [boundaryOf(slice), boundaryOf(slice + 1)])
}

function toAsk({report, filters, timeBasis}: Manifest, [start, end]: [string, string]): ExportAsk {
  return {report, filters: filters as ExportAsk['filters'], start, end, moving: {}, timeBasis}
}

function toLayout({report, format, rowsAre, where, dialect, chosen, columns}: Manifest): ExportLayout {
  const fields = allFieldsOf(reportOperation(report).resource)
  const lines = rowsAre === 'lines' ? lineNamesOf(fields) : undefined
  const ofContract = lines ? lineColumns(fields, lines) : columnsOf(fields)
  const known = new Set(ofContract.map(({name}) => name))
  const others = (columns ?? []).filter((name) => !known.has(name)).map((name) => toColumn(toPath(name), 'unknown'))
  return {
    format: format as PageFormat,
    gzip: false,
    rows: rowsAre,
    columns: [...ofContract, ...others],
    where,
    ...(lines && {lines}),
    ...((columns ?? chosen) && {chosen: columns ?? chosen ?? []}),
    ...(dialect && {dialect: dialect.name as DialectName}),
    ...(dialect?.delimiter != null && {delimiter: dialect.delimiter}),
  }
}
