import {
  dateClockOf,
  type ReportId,
  reportIds,
  reportOperation,
  reportWordOf,
  transactionReport,
} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure, usage} from '../../core/errors.js'
import type {ExportAsk} from '../../reports/export/export-types.js'
import {coverageScope} from '../../reports/run/export-scopes.js'
import {exportFile} from '../../reports/run/write-export.js'
import {
  type Day,
  type DayState,
  findHoles,
  hasPassed,
  type LostFile,
  listDaysAndFiles,
} from '../../reports/verify/days-read.js'
import {counted} from '../../values/counted.js'
import {millisecondsPerDay, toDateTime, toMilliseconds} from '../../values/date-time.js'
import type {JsonValue} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import type {Messages} from '../app/messages.js'
import {toFilterValues} from '../read/filter-values.js'
import {refuseTerminal} from '../read/format-of.js'
import {type TextTarget, withTarget} from '../read/text-target.js'
import {describeCompressed, describeOutcome, isMisnamed} from './describe-export.js'
import {coverageCommand} from './export-commands.js'
import type {ExportFlags} from './export-flags.js'
import {findLayout, toAsk} from './export-plan.js'
import {type ExportSession, withExportSession} from './export-session.js'
import {toOneExport} from './to-one-export.js'

export type CoverageFlags = ExportFlags & {
  readonly report?: string | undefined
  readonly fill?: boolean
  readonly html?: string | undefined
}

/** Days that are shown when no start is given. */
const usualDays = 90
/** Each filled gap is written to its own file. */
const usualName = (report: ReportId) => `${reportOperation(report).report.filePrefix}-{start}-{end}.csv`

/** Which days exports of this machine, or of all that share their marks, have read, and with `--fill` files for those that they have not. */
export async function coverReport(asked: CoverageFlags, context: CommandContext): Promise<void> {
  const {page: pageFlags, flags} = findPage(asked, context)
  const now = systemClock.now()
  const report = reportIds.find((id) => reportWordOf(id) === flags.report) ?? transactionReport
  const {StartDate, EndDate, ...filters} = toFilterValues(report, flags, now)
  const end = Math.min(momentOf(EndDate) ?? now, now)
  const start = momentOf(StartDate) ?? end - usualDays * millisecondsPerDay
  const {overwrite} = flags
  const work = (page?: TextTarget) => withExportSession(report, flags, context, (session) => cover(session, page))
  await (pageFlags === undefined ? work() : withTarget({...pageFlags, output: 'html', overwrite}, context, work))

  async function cover(session: ExportSession, page: TextTarget | undefined): Promise<void> {
    const {opened, register, shared} = session
    const scope = coverageScope(opened.source, report, filters)
    await shared?.share(scope, register.covered(scope))
    const elsewhere = (await shared?.coveredElsewhere(scope)) ?? []
    const list = () => listDaysAndFiles([...register.covered(scope), ...elsewhere], start, end)
    const holes = flags.fill === true ? findHoles(passedDays(list().days, {report, now}, context.messages)) : []
    const written = await fill(holes, {report, flags, filters, session, context})
    const {days, lost} = list()
    const counts = toCounts(days)
    const gaps = findHoles(days)
    if (page) {
      const {baseUrl, stage, profile} = opened.source
      const {renderCoveragePage} = await import('../../formats/write/html/coverage-page.js')
      const source = `${baseUrl}, ${stage}, profile ${profile}`
      const command = coverageCommand({...flags, start: days[0]?.day, end: days.at(-1)?.day})
      const made = {generatedAt: `${toDateTime(now).slice(0, 19)}Z`, tool: `vendorctl ${context.version}`}
      await page.write(
        renderCoveragePage({report: reportWordOf(report), days, holes: gaps, lost, source, command, ...made}),
      )
      await page.commit()
    }

    await context.present({
      data: {...counts, days, holes: gaps, written, lost} as unknown as JsonValue,
      text: page && page.path === undefined ? undefined : renderCalendar(days, counts, lost),
      meta: {requests: opened.meta().requests},
    })
  }
}

/** Days that are not over on every machine would have to be read again. */
function passedDays(days: readonly Day[], {report, now}: {report: ReportId; now: number}, messages: Messages): Day[] {
  const clock = dateClockOf(report)
  const first = days.find(({day, state}) => state !== 'proven' && !hasPassed(day, now, clock))
  const over = clock === 'utc' ? 'over' : 'over on every machine'
  if (first) messages.note(`${first.day} and later are not ${over} yet; they are left for later.`)
  return days.filter(({day}) => hasPassed(day, now, clock))
}

type Filling = {
  report: ReportId
  flags: CoverageFlags
  filters: ExportAsk['filters']
  session: ExportSession
  context: CommandContext
}

/** Exports each run of days to a file of its own; the files that were written. */
async function fill(
  holes: readonly [string, string][],
  {report, flags, filters, session, context}: Filling,
): Promise<string[]> {
  const {client} = session.opened
  const written: string[] = []
  const file = flags['output-file'] ?? `${usualName(report)}${flags.gzip === true ? '.gz' : ''}`
  if (holes.length > 0 && isMisnamed(flags, file)) context.caution(describeCompressed(file))
  if (holes.length > 1 && !file.includes('{start}')) throw oneFile(report, file, holes.length)
  for (const [first, last] of holes) {
    const range = {start: `${first}T00:00:00`, end: `${last}T23:59:59.999`}
    const named = {...flags, start: first, end: last, 'output-file': file}
    const layout = findLayout(report, named, range)
    const ask = toAsk(report, named, filters, range, layout)
    const before = client.requestsUsed
    const [exported] = layout
      ? await session.follow(exportFile(toOneExport(named, {layout, ask}, session, context)))
      : []
    if (!exported) continue
    const {outcome, path} = exported
    context.messages.note(describeOutcome(path, outcome, client.requestsUsed - before))
    if (outcome.kind !== 'incomplete') written.push(path)
    for (const {message} of outcome.errors) context.caution(message)
  }

  return written
}

function momentOf(value: unknown): number | undefined {
  return typeof value === 'string' ? toMilliseconds(value) : undefined
}

function toCounts(days: readonly Day[]): {proven: number; partly: number; unread: number} {
  const of = (state: Day['state']) => days.filter((day) => day.state === state).length
  return {proven: of('proven'), partly: of('partly'), unread: of('unread')}
}

function oneFile(report: ReportId, file: string, holes: number): CliFailure {
  return new CliFailure(`--fill writes ${counted(holes, 'file')}, and --output-file names one: ${file}`, {
    code: 'TEMPLATE',
    hints: [`Put {start} and {end} in the name: ${usualName(report)}`],
  })
}

/** Where a page is written, if one is, and the flags of the rest. */
function findPage(
  {html, output, ...flags}: CoverageFlags,
  {isJson}: CommandContext,
): {
  page?: Pick<ExportFlags, 'output-file'>
  flags: CoverageFlags
} {
  const {'output-file': file, ...others} = flags
  if (html === '-' && isJson)
    throw usage('--html - and --json both write to standard output.', 'Name a file: --html coverage.html')
  if (html !== undefined) return {page: {'output-file': html}, flags}
  const isNamed = file !== undefined && /\.html?$/i.test(file)
  if (isNamed) return {page: {'output-file': file}, flags: others}
  if (output !== 'html' || isJson) return {flags}
  refuseTerminal('html', file)
  return {page: {'output-file': file}, flags: others}
}

const signs: Record<DayState, string> = {proven: '#', partly: '+', unread: '.'}
const lostSign = 'o'
const legend = '# proven   + partly, too early or not proven   . not read'
const lostLegend = `${lostSign} proven, and its file is gone or was changed since`
const filesNamed = 5

/** One line per month, one character per day; then the files of proven days that are gone or changed. */
function renderCalendar(days: readonly Day[], counts: Record<DayState, number>, lost: readonly LostFile[]): string {
  const months = Map.groupBy(days, ({day}) => day.slice(0, 7))
  const lines = [...months].map(([month, ofMonth]) => {
    const first = Number(ofMonth[0]?.day.slice(8)) - 1
    return `${month}  ${' '.repeat(first)}${ofMonth.map(signOf).join('')}`
  })
  const ruler = `         ${'1...5....10...15...20...25...30.'.slice(0, 31)}`
  const sum = `${counted(counts.proven, 'day')} proven, ${counts.partly} partly, ${counts.unread} not read`
  return [ruler, ...lines, '', legend, ...(lost.length > 0 ? [lostLegend] : []), sum, ...renderLost(lost), ''].join(
    '\n',
  )
}

function signOf({state, file}: Day): string {
  return file === undefined ? signs[state] : lostSign
}

function renderLost(lost: readonly LostFile[]): string[] {
  const more = lost.length - filesNamed
  return [
    ...lost.slice(0, filesNamed).map(({file, is}) => `${file} ${is === 'gone' ? 'is gone' : 'was changed'}`),
    ...(more > 0 ? [`… and ${counted(more, 'more file')} (all of them with --json)`] : []),
  ]
}
