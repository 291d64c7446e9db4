import {resolve} from 'node:path'
import {describeServed} from '../../client/served-range.js'
import type {FilterValues} from '../../client/types.js'
import {filterKeysOf, filterOf, readOperation, transactionReport} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure, usage} from '../../core/errors.js'
import {deliverFile, toDeliveryCommand} from '../../jobs/deliver/deliver-file.js'
import {withoutSecrets} from '../../jobs/withheld.js'
import {describeMissing} from '../../reports/summary/count-lines.js'
import {type ReadingOfSummary, readBefore, readRange} from '../../reports/summary/read-summary.js'
import {summarizeFile} from '../../reports/summary/summary-file.js'
import {counted} from '../../values/counted.js'
import {resolveDate} from '../../values/relative-date.js'
import type {CommandContext} from '../app/command-context.js'
import type {OpenedClient} from '../client/open-client.js'
import {withNeeds} from '../client/open-needs.js'
import {allowClamp, concludeRead, nothingMatched, toDrift} from '../read/finish-read.js'
import {keepMemoryFlat} from '../read/flat-memory.js'
import {type TextTarget, withTarget} from '../read/text-target.js'
import {refuseMissingIds, toAskedReport} from '../reports/asked-report.js'
import type {Progress} from '../terminal/progress.js'
import {createPace, createShare} from '../terminal/progress-text.js'
import {redact} from '../terminal/redact.js'
import {stopSignal} from '../terminal/signals.js'
import {openGroups} from './group-output.js'
import {findPicture} from './picture-output.js'
import type {OpenedOutput, SummaryFlags, SummaryOutput, SummarySource} from './summary-output.js'

const id = transactionReport

/** Counts and totals of the transaction report: of a live read, or of a file that was exported before. */
export async function summarizeReport(
  report: string | undefined,
  flags: SummaryFlags,
  context: CommandContext,
): Promise<void> {
  const isMixed = report !== undefined
  const picture = findPicture(flags, context)
  if (isMixed) refuseFilters(flags)
  const output = picture
    ? (await import('./picture-output.js')).openPicture(picture, flags, {isMixed, context})
    : openGroups(flags, {isMixed, context})
  const deliver = await openDelivery(flags, context)
  await withTarget(flags, context, async (file) => {
    const target = {...file, commit: () => file.commit().then(deliver)}
    const opened = await output.open(target)
    const work = {flags, output, opened, target, context: opened.context}
    keepMemoryFlat()
    await (report === undefined ? summarizeService(work) : summarizeExport(report, work))
  })
}

/** What delivers the file once it is complete. */
async function openDelivery({deliver, 'output-file': path}: SummaryFlags, context: CommandContext) {
  if (deliver === undefined) return undefined
  if (path === undefined || path === '-') throw usage('--deliver needs a file.', 'Add --output-file.')
  const {toFileDelivery} = await import('./summarize.js')
  return toFileDelivery(deliver, path, context)
}

type Work = {
  flags: SummaryFlags
  output: SummaryOutput
  opened: OpenedOutput
  target: TextTarget
  context: CommandContext
}

async function summarizeService(work: Work): Promise<void> {
  const {output, target, context} = work
  const flags = output.isPage ? withWholeDays(work.flags) : work.flags
  const {filters, dates, range} = toAskedReport(id, flags)
  const {served, drifted, ...read} = await withNeeds(flags, context, async ({opened, progress}) => {
    await refuseMissingIds(id, flags, filters, opened)
    context.messages.note(range.text)
    const reading = toReading({opened, progress, filters, flags})
    const {pages, served, drifted} = await readRange(output.summary, range.window, reading)
    const before = output.isPage
      ? await readBefore(range.window, reading, {now: systemClock.now(), signal: stopSignal()})
      : undefined
    progress.end()
    const written = await writeResult(work, {opened, filters, range: {...range.window, ...served}, before})
    return {opened, written, pages, served, drifted}
  })
  const described = allowClamp(flags, describeServed(id, dates, served, systemClock.now()))
  const incomplete = toDrift(drifted)
  await concludeRead({flags, ...read, target, more: false, range: described, incomplete}, context)
}

type Asked = {
  opened: OpenedClient
  progress: Progress
  filters: FilterValues
  flags: SummaryFlags
}

/** How the pages of a report are read into a summary, with progress on the terminal. */
function toReading({opened, progress, filters, flags}: Asked): ReadingOfSummary {
  return {
    client: opened.client,
    ...{filters, pageSize: flags['page-size'], split: flags['no-split'] !== true},
    startProgress() {
      const [pace, share] = [createPace(systemClock.monotonic), createShare()]
      return ({page, windows, done}, rows) => {
        const {number, totalPages} = page
        const part = share({window: windows, page: number, totalPages, done})
        progress.update(`Window ${windows} · page ${number} of ${totalPages} · ${pace(rows, part)}`)
      }
    },
  }
}

/** `-7d` and the like stand for whole days on a page: the average of a part of a day would lie. */
function withWholeDays(flags: SummaryFlags): SummaryFlags {
  const toDay = (text: unknown, edge: 'start' | 'end') =>
    typeof text === 'string' && /^-\d+(d|w|mo|y)$/i.test(text.trim())
      ? resolveDate(text, edge, systemClock.now()).slice(0, 10)
      : text
  return {...flags, start: toDay(flags['start'], 'start'), end: toDay(flags['end'], 'end')}
}

async function summarizeExport(file: string, work: Work): Promise<void> {
  const {flags, output, target, context} = work
  const {messages} = context
  const read = {rows: 0}
  const onRows = (rows: number) => void Object.assign(read, {rows})
  await summarizeFile(file, output.summary, {onRows, signal: stopSignal()})
  const {rows, notes, data} = await writeResult(work, {file})
  await target.commit()
  for (const note of notes) messages.note(note)
  messages.detail(`${file}: ${counted(read.rows, 'row')}, ${counted(rows, output.unit)}`)
  const isEmpty = rows === 0 && flags['fail-on-empty'] === true
  if (isEmpty) messages.tell('empty: nothing matched')
  await context.present({
    data: data ?? {file: target.path ?? null, rows, pages: 0},
    ...(isEmpty && {exit: 'empty', errors: [nothingMatched('the file')]}),
  })
}

/** Values that are in no total are reported before anything is written. */
async function writeResult({output, opened, context}: Work, source: SummarySource) {
  for (const text of describeMissing(output.summary)) context.caution(text)
  return opened.write(source)
}

/** Throws `usage` for flags that narrow a read of the service and have no effect on a file. */
function refuseFilters(flags: SummaryFlags): void {
  const names = filterKeysOf(readOperation(id)).map((key) => filterOf(key).flag)
  const given = [...names, 'no-split', 'allow-clamp'].filter(
    (name) => flags[name] !== undefined && flags[name] !== false,
  )
  if (given.length === 0) return
  throw new CliFailure(`--${given[0]} narrows a read of the service and has no effect on a file`, {
    code: 'FLAG_WITHOUT_EFFECT',
    hints: ['Leave the flag out, or the file.'],
  })
}

/** What delivers a complete file of no export: the same command writes and delivers it again. Throws `usage`. */
export function toFileDelivery(deliver: string, path: string, {environment, messages}: CommandContext) {
  const command = toDeliveryCommand(deliver)
  if (command.usesManifest) throw usage('--deliver: only exports have a {manifest}.', 'Leave {manifest} out.')
  const options = {clock: systemClock, signal: stopSignal(), environment: withoutSecrets(environment)}

  /** Throws `unavailable` where the command failed. */
  return async () => {
    const words = command.fill({file: resolve(path), manifest: ''})
    const end = await deliverFile(words, {...options, onLine: (line) => messages.note(line)})
    if (end.isDelivered) return messages.note(`Delivered ${path}.`)
    const {tries, why, last} = end
    const text = redact([why, ...last.slice(-1)].join(': '))
    const times = tries === 1 ? '1 try' : `${tries} tries`
    throw new CliFailure(`${path} is complete, but it was not delivered (${times}): ${text}.`, {
      code: 'DELIVERY_FAILED',
      retry: 'safe',
      hints: ['Run the same command again: it writes the file anew and delivers it.'],
    })
  }
}
