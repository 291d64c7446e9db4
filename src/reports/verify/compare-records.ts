import {type Change, createChanges, type WaitingRecords} from './found-changes.js'
import {type RecordRows, RecordStream, type StreamOptions} from './record-stream.js'

export type Comparison = ReturnType<typeof createComparison>

type ComparisonOptions = StreamOptions & {
  /** Compare every record, and not those only that are not the same byte for byte. */
  oneByOne: boolean
}

/**
 * Compares a file with exports of the same records, made anew. Equal bytes of both sides are skipped; from the first
 * that differs, records are compared by the digest of their cells, in whatever order they come. Time: linear in bytes.
 * Memory: two pages, and an id and a digest for each record that waits for its counterpart.
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

  /** Skips equal bytes, up to the first record that differs. Returns whether all bytes that came are equal. */
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

  /** Finds the counterpart of the next record; false while no record is complete. */
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
