import {reportOperation, transactionReport} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {latestLocalTime} from '../../reports/read/report-range.js'
import type {WindowsLeft} from '../../reports/read/windows.js'
import {millisecondsPerDay, toDateTime, toMilliseconds} from '../../values/date-time.js'
import {peekState, readState, writeState} from './mirror-state.js'
import {readRun, type StoredRun} from './reading-progress.js'
import type {SyncOptions} from './sync-types.js'

/** The mark of transactions once a run is complete. */
export type Mark = {
  /** From here on the mirror has everything, up to `at`. */
  from: string
  at: string
  /** Start of the next run: records turn up late. */
  next: string
  /** Milliseconds that the service serves in one request. */
  longest: number
}

const markName = 'transactions'

/** Throws `usage`, before anything is read, where nobody said from when on transactions are wanted. */
export async function checkStart(options: SyncOptions): Promise<void> {
  const {db, source, start} = options
  if (start !== undefined) return
  const isThere = await peekState(db, source)
  if (!isThere || !((await readMark(db)) || (await readRun(db)))) throw noStart()
}

export async function readMark(db: SyncOptions['db']): Promise<Mark | undefined> {
  const text = await readState(db, markName)
  return text === undefined ? undefined : (JSON.parse(text) as Mark)
}

export async function writeMark(db: SyncOptions['db'], mark: Mark): Promise<void> {
  await writeState(db, markName, JSON.stringify(mark))
}

/** The ranges that a sync would read, as far as that is known before. */
export async function findRanges(options: SyncOptions, isThere: boolean): Promise<{start: string; end: string}[]> {
  const left = isThere ? await readRun(options.db) : undefined
  if (!left) return toRanges(options, isThere ? await readMark(options.db) : undefined).ranges
  const {pending} = resumeRun(options, left.run).windows
  return pending.map(([start, end]) => ({start: toDateTime(start), end: toDateTime(end)}))
}

function toRanges(
  {start, clock, transactions}: Pick<SyncOptions, 'start' | 'clock' | 'transactions'>,
  mark: Mark | undefined,
): {from: string; ranges: {start: string; end: string}[]} {
  const at = toMilliseconds(mark?.at ?? '') ?? 0 // the service's clock was there: one that is behind is wrong
  const end = latestLocalTime(Math.max(clock.now(), at))
  if (!mark) {
    if (start === undefined) throw noStart()
    return {from: start, ranges: [{start, end}]}
  }
  const late = toDateTime(at - (transactions?.late ?? 0))
  const next = [mark.next, late].sort()[0] ?? mark.next
  const latest = {start: next < mark.from ? mark.from : next, end}
  const isEarlier = start !== undefined && start < mark.from
  const earlier = isEarlier ? [{start, end: mark.from}] : []
  return {from: isEarlier ? start : mark.from, ranges: [...earlier, latest]}
}

/** The reading of all that is not there yet. */
export function beginRun(options: SyncOptions, mark: Mark | undefined): StoredRun {
  const {from, ranges} = toRanges(options, mark)
  const {maximumDays} = reportOperation(transactionReport).range
  const longest = mark?.longest ?? Math.min(maximumDays * millisecondsPerDay, Number.MAX_SAFE_INTEGER)
  const pending = ranges.map(toPending)
  const last = ranges.at(-1)
  return {
    start: last?.start ?? from,
    end: last?.end ?? from,
    from,
    windows: {whole: lengthOf(pending), longest, pending},
    parts: [],
    counts: {requests: 0, probes: 0},
    rows: 0,
    records: 0,
  }
}

/** A run that is resumed goes up to now, so that no other must follow it. */
export function resumeRun({start, clock}: SyncOptions, run: StoredRun): StoredRun {
  const end = latestLocalTime(clock.now())
  const pending = run.windows.pending.map(([from, to]): [number, number] => [from, to])
  const [before, now] = [toMilliseconds(run.end) ?? 0, toMilliseconds(end) ?? 0]
  const last = pending.find(([, to]) => to === before)
  if (last && now > before) last[1] = now
  else if (now > before) pending.push([before, now])
  const isEarlier = start !== undefined && start < run.from
  if (isEarlier) pending.push(toPending({start, end: run.from}))
  return {
    ...run,
    ...(now > before && {end}),
    ...(isEarlier && {from: start}),
    windows: {...run.windows, pending, whole: Math.max(run.windows.whole, lengthOf(pending))},
  }
}

function toPending({start, end}: {start: string; end: string}): [number, number] {
  return [toMilliseconds(start) ?? 0, toMilliseconds(end) ?? 0]
}

function lengthOf(pending: WindowsLeft['pending']): number {
  const left = pending.reduce((sum, [from, to]) => sum + to - from, 0)
  return Math.max(1, left)
}

function noStart(): CliFailure {
  return new CliFailure('--with-transactions: this mirror has no transactions yet.', {
    code: 'NO_WATERMARK',
    hints: ['Add --start DATE: transactions are mirrored from that date on.'],
  })
}
