import {describeServed} from '../../client/served-range.js'
import {transactionReport} from '../../contract/index.js'
import type {Clock} from '../../core/clock.js'
import {refuseMissing} from '../../reports/read/missing-ids.js'
import {type ReadingOfSummary, readBefore, readRange} from '../../reports/summary/read-summary.js'
import {resolveDate} from '../../values/relative-date.js'
import {type OpenedNeeds, withNeeds} from '../client/open-client.js'
import {allowClamp, concludeRead, toDrift} from '../read/finish-read.js'
import {type AskedReport, toAskedReport} from '../reports/asked-report.js'
import {createWindowProgress} from '../terminal/progress.js'
import type {SummaryFlags, SummaryWork} from './summary-output.js'

const id = transactionReport

/** Summarizes a live read of the report. */
export async function summarizeService({output, write, target, context, ...work}: SummaryWork): Promise<void> {
  const {clock, signal, messages} = context
  const flags = output.isPage ? withWholeDays(work.flags, clock.now()) : work.flags
  const {filters, dates, range} = toAskedReport(id, flags)
  const {served, drifted, ...read} = await withNeeds(flags, context, async ({opened, progress}) => {
    if (flags['fail-on-missing']) await refuseMissing(id, filters, opened.client)
    messages.note(range.text)
    const reading = toReading({opened, progress, filters, flags}, clock)
    const {pages, served, drifted} = await readRange(output.summary, range.window, reading)
    const before = output.isPage ? await readBefore(range.window, reading, {now: clock.now(), signal}) : undefined
    progress.end()
    const written = await write({opened, filters, range: {...range.window, ...served}, before})
    return {opened, written, pages, served, drifted}
  })
  const described = allowClamp(flags, describeServed(id, dates, served, clock.now()))
  const incomplete = toDrift(drifted)
  await concludeRead({flags, ...read, target, more: false, range: described, incomplete}, context)
}

type Asked = OpenedNeeds & Pick<AskedReport, 'filters'> & {flags: SummaryFlags}

/** Options of reading the pages of a report into a summary, with progress on the terminal. */
function toReading({opened, progress, filters, flags}: Asked, clock: Clock): ReadingOfSummary {
  return {
    client: opened.client,
    ...{filters, pageSize: flags['page-size'], split: flags['no-split'] !== true},
    startProgress() {
      const describe = createWindowProgress(clock.monotonic)
      return ({page: {number, totalPages}, windows, done}, rows) =>
        progress.update(describe({window: windows, page: number, totalPages, done})(rows))
    },
  }
}

/** `-7d` and the like mean whole days on a page: the average of a part of a day would lie. */
function withWholeDays(flags: SummaryFlags, now: number): SummaryFlags {
  const toDay = (text: unknown, edge: 'start' | 'end') =>
    typeof text === 'string' && /^-\d+(d|w|mo|y)$/i.test(text.trim()) ? resolveDate(text, edge, now).slice(0, 10) : text
  return {...flags, start: toDay(flags['start'], 'start'), end: toDay(flags['end'], 'end')}
}
