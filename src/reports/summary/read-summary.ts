import {fieldsOfFilters} from '../../client/filter-check.js'
import type {Client, FilterValues} from '../../client/types.js'
import {dateClockOf, readOperation, transactionReport} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {createPageIntake, parseRecord, type ScannedPage} from '../../formats/scan/page-renderer.js'
import type {PageBefore} from '../../formats/write/html/page-data.js'
import {millisecondsPerDay, roundingMilliseconds, toDateTime, toMilliseconds} from '../../values/date-time.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {toMessageText} from '../../values/message-text.js'
import {type ReportPage, readReport} from '../read/read-list.js'
import {checked, orFail} from '../read/row-sink.js'
import type {Window} from '../read/windows.js'
import {edgeMilliseconds, hasPassed} from '../verify/days-read.js'
import {createSummary, type Summary} from './count-lines.js'
import {SummaryProblem} from './line-cells.js'
import {createRecordAdder} from './summary-lines.js'
import {toCounts} from './summary-page-facts.js'

const id = transactionReport

export type ReadingOfSummary = {
  client: Client
  filters: FilterValues
  pageSize: number | undefined
  /** Whether long ranges are read in windows. */
  split: boolean
  /** Makes what shows how far the reading of one range is. */
  startProgress(): (at: Pick<ReportPage, 'page' | 'windows' | 'done'>, rows: number) => void
}

/** Adds all batches of a range to a summary. */
export async function readRange(
  summary: Summary,
  range: Window,
  {client, filters, pageSize, split, startProgress}: ReadingOfSummary,
) {
  const adder = createPageAdder(summary, fieldsOfFilters(readOperation(id), {...filters, StartDate: '', EndDate: ''}))
  const reading = readReport(client, {
    ...{operation: id, filters, scan: adder.split, range, split},
    maximumDays: readOperation(id).range?.maximumDays ?? Number.POSITIVE_INFINITY,
    pageSize,
  })
  const showProgress = startProgress()
  const seen: {pages: number; rows: number; served: Window} = {pages: 0, rows: 0, served: {}}
  for await (const answer of reading.pages) {
    seen.pages++
    seen.served = answer.served
    seen.rows += adder.add(answer)
    showProgress(answer, seen.rows)
  }
  return {pages: seen.pages, served: seen.served, drifted: reading.repeated}
}

/** The period before a range: its counts, or the reason why they are not shown. */
export type PeriodBefore = {readonly counts?: PageBefore; readonly note?: string}

/** As many whole days before the range as it has; a page without them is better than none. */
export async function readBefore(
  window: Window,
  reading: ReadingOfSummary,
  {now, signal}: {now: number; signal: AbortSignal},
): Promise<PeriodBefore | undefined> {
  const {days, first} = wholeDaysOf(window, now)
  const [from, to] = [days[0], days.at(-1)]
  if (from === undefined || to === undefined) return undefined
  const toDay = (day: number) => toDateTime(first + day * millisecondsPerDay).slice(0, 10)
  const before = {from: toDay(-days.length), to: toDay(-1)}
  const summary = createSummary([['day']], {isMixed: false, isBrief: true})
  try {
    const range = {start: `${before.from}T00:00:00`, end: `${before.to}T23:59:59.999`}
    const {served} = await readRange(summary, range, reading)
    const late = (toMilliseconds(served.start ?? '') ?? 0) - (toMilliseconds(range.start) ?? 0)
    if (late > roundingMilliseconds)
      return {note: 'The period before is not shown: the service no longer has all of it.'}
    return {counts: {...before, of: {from, to}, ...toCounts(summary.total())}}
  } catch (error) {
    if (!(error instanceof CliFailure) || signal.aborted) throw error
    return {note: `The period before is not shown: ${error.message}`}
  }
}

/** Complete days of a range that are over on every machine; `first` is when its first day began. */
function wholeDaysOf({start = '', end = ''}: Window, now: number): {days: string[]; first: number} {
  const [from, to] = [toMilliseconds(start) ?? Number.NaN, toMilliseconds(end) ?? now]
  const first = Math.floor(from / millisecondsPerDay) * millisecondsPerDay
  const days: string[] = []
  const latest = to + edgeMilliseconds - millisecondsPerDay
  for (let at = first < from ? first + millisecondsPerDay : first; at <= latest; at += millisecondsPerDay) {
    const day = toDateTime(at).slice(0, 10)
    if (hasPassed(day, now, dateClockOf(id))) days.push(day)
  }
  return {days, first}
}

/** Adds the batches of answers to a summary by their bytes. */
function createPageAdder(summary: Summary, look: readonly string[]) {
  const intake = createPageIntake({columns: [], look}, {waitsFor: 'nothing'})
  const adder = createRecordAdder(summary, intake.shapes)

  return {
    split: intake.scan,
    /** Returns how many batches were added. */
    add({page, take}: ReportPage): number {
      const takeChecked = checked(page, (_seen, key) => take(key))
      const {ids, ready} = orFail(page, () => intake.page(page.elements, takeChecked))
      for (const {page: scanned, wanted} of ready) {
        for (const index of wanted) addRecord(scanned, index)
        scanned.release()
      }
      return ids.length
    },
  }

  function addRecord(page: ScannedPage, index: number): void {
    try {
      adder.scanned(page, index, () => parseRecord(page, index))
    } catch (error) {
      if (error instanceof SummaryProblem) throw cannotCount(parseRecord(page, index), error)
      throw error
    }
  }
}

function cannotCount({id = null}: JsonRecord, {message}: SummaryProblem): CliFailure {
  return new CliFailure(`Batch ${toMessageText(printJson(id))} of the service cannot be counted: ${message}.`, {
    code: 'ANSWER_SENSELESS',
    retry: 'safe',
    hints: ['Look closer with: vendorctl doctor'],
  })
}
