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
import {openExported} from './count-rows.js'
import {type Change, createChanges, type WaitingRecords} from './found-changes.js'
import {type RecordRows, RecordStream, type StreamOptions} from './record-stream.js'

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
  const folder = makeFolder(engine.folder)
  const ranges = pickRanges(manifest, share, random)
  const isComplete = share >= 1
  const oneByOne = !isComplete || manifest.where.length > 0
  const comparison = createComparison(await openExported(path), {...manifest, file: path, oneByOne})
  try {
    await comparison.open()
    const errors: ErrorEntry[] = []
    const before = {isFirst: false, keys: [] as readonly string[]}
    let read = 0
    for (const [index, range] of ranges.entries()) {
      const [nextStart] = ranges[index + 1] ?? []
      const order: ExportOrder = {
        ask: toAsk(manifest, range),
        layout: toLayout(manifest),
        path: join(folder, String(index)),
        into: toFile(comparison),
        ...{overwrite: true, fresh: true, append: false, skipEmpty: false, requireGrade: 'D', isNamed: false},
        before: {...before},
        history: {startOver: '--fresh', resume: '', rows: 0, ended: ''},
      }
      const outcome = yield* through(runExport({...engine, folder}, order), async (event) => {
        if (event.kind === 'written' && nextStart !== undefined) before.keys = event.keysSince(nextStart)
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

type Comparison = ReturnType<typeof createComparison>

export type ComparisonOptions = StreamOptions & {
  /** Compare every record, and not those only that are not the same byte for byte. */
  oneByOne: boolean
}

/**
 * Compares a file with exports of the same records, made anew. Equal bytes of both sides are skipped; from the first
 * that differs, records are compared by the digest of their cells, in whatever order they come. Time: linear in bytes.
 * Memory: two pages, and an id and a digest for each record that waits for its like.
 */
export function createComparison(file: AsyncIterable<Buffer>, options: ComparisonOptions) {
  const stretches = file[Symbol.asyncIterator]()
  const known = new RecordStream(options)
  let fresh = new RecordStream(options)
  const waiting: {known: WaitingRecords; fresh: WaitingRecords} = {known: new Map(), fresh: new Map()}
  const changes = createChanges()
  let settled = 0

  return {
    /** Reads the header of the file. Throws a `CliFailure` (invalid) when it has no column id. */
    async open(): Promise<void> {
      while (!known.open() && !known.isEnded) await readOn(known.bytes.length + 1)
    },
    /** The next bytes of an export made anew; they are not needed any more when it returns. */
    async take(bytes: Buffer): Promise<void> {
      fresh.push(bytes)
      if (fresh.open()) await compare()
    },
    /** That export ends; another may follow, of other records. */
    async endExport(): Promise<void> {
      fresh.end()
      await compare()
      fresh = new RecordStream(options)
    },
    /** The differences. `isComplete`: records of the file that did not come are removed ones. */
    async end(isComplete: boolean): Promise<Change[]> {
      for (let rest = await nextKnown(); rest && (isComplete || waiting.fresh.size > 0); rest = await nextKnown()) {
        if (!changes.settle(waiting.fresh, rest)) changes.wait(waiting.known, rest)
        known.skip(rest.length)
      }

      changes.addAll(waiting.fresh, 'added')
      if (isComplete) changes.addAll(waiting.known, 'removed')
      return changes.all()
    },
    /** Closes the file, read or not. */
    async close(): Promise<void> {
      await stretches.return?.()
    },
    /** Records that were compared one by one. */
    get settled(): number {
      return settled
    },
  }

  async function compare(): Promise<void> {
    while (options.oneByOne || !(await skipEqual())) if (!(await settle())) return
  }

  /** Skips equal bytes, up to the record that differs. Whether there is none, as far as bytes came. */
  async function skipEqual(): Promise<boolean> {
    const {length} = fresh.bytes
    await readOn(length)
    const same = equalBytes(fresh.bytes, known.bytes)
    const isAll = same === length
    const end = isAll ? length : Math.min(fresh.startOfRecord(same), known.startOfRecord(same))
    const hasRow = fresh.hasRow(end)
    fresh.skip(end)
    known.skip(end, hasRow ? (isAll ? 'unfinished' : 'finished') : undefined)
    return isAll
  }

  /** Finds the like of the next record; false while there is none. */
  async function settle(): Promise<boolean> {
    const one = fresh.record()
    if (!one) return false
    const other = await nextKnown()
    if (other && one.id === other.id && (one.id !== '' || one.content === other.content)) {
      if (one.content !== other.content) changes.add(one.id, 'changed')
      known.skip(other.length)
    } else if (!changes.settle(waiting.known, one)) {
      if (other) known.skip(other.length)
      if (other && changes.settle(waiting.fresh, other)) return true
      changes.wait(waiting.fresh, one)
      if (other) changes.wait(waiting.known, other)
    }

    settled++
    fresh.skip(one.length)
    return true
  }

  /** The next record of the file. Rows that follow those of a record that was equal make it another. */
  async function nextKnown(): Promise<RecordRows | undefined> {
    for (;;) {
      const record = known.record()
      if (!record && known.isEnded) return undefined
      if (!record) await readOn(known.bytes.length + 1)
      else {
        const id = known.unfinishedId()
        if (record.id === '' || record.id !== id) return record
        changes.add(record.id, 'changed')
        known.skip(record.length)
      }
    }
  }

  async function readOn(length: number): Promise<void> {
    while (known.bytes.length < length && !known.isEnded) {
      const next = await stretches.next()
      if (next.done) known.end()
      else known.push(next.value)
    }
  }
}

const blockBytes = 4_096

/** Number of equal bytes at the start of two buffers. */
function equalBytes(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length) {
    const end = Math.min(at + blockBytes, length)
    if (one.compare(other, at, end, at, end) !== 0) break
    at = end
  }

  while (at < length && one[at] === other[at]) at++
  return at
}
