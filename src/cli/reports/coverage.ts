import {dateClockOf, type ReportId, reportIds, reportWordOf, transactionReport} from '../../contract/index.js'
import {usage} from '../../core/errors.js'
import {coverageScope} from '../../reports/run/export-scopes.js'
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
import {toFilterValues} from '../read/filter-values.js'
import {refuseTerminal} from '../read/format-of.js'
import {type TextTarget, withTarget} from '../read/text-target.js'
import {coverageCommand} from './export-commands.js'
import {type ExportSession, withExportSession} from './export-session.js'
import {type CoverageFlags, fillGaps} from './fill-gaps.js'

/** Days that are shown when no start is given. */
const usualDays = 90
/**
 * Shows the days that exports have read, of this machine or of all that share marks; with `--fill`, exports the others.
 */
export async function coverReport(asked: CoverageFlags, context: CommandContext): Promise<void> {
  const {page: pageFlags, flags} = findPage(asked, context)
  const now = context.clock.now()
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
    const {written, errors} = await fillGaps(holes, {report, flags, filters, session, context})
    const {days, lost} = list()
    const counts = countDays(days)
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
      ...(errors.length > 0 && {exit: 'incomplete', errors}),
    })
  }
}

/** Days that are over on every machine; others would have to be read again. */
function passedDays(
  days: readonly Day[],
  {report, now}: {report: ReportId; now: number},
  messages: CommandContext['messages'],
): Day[] {
  const clock = dateClockOf(report)
  const first = days.find(({day, state}) => state !== 'proven' && !hasPassed(day, now, clock))
  const over = clock === 'utc' ? 'over' : 'over on every machine'
  if (first) messages.note(`${first.day} and later are not ${over} yet; they are left for later.`)
  return days.filter(({day}) => hasPassed(day, now, clock))
}

function momentOf(value: unknown): number | undefined {
  return typeof value === 'string' ? toMilliseconds(value) : undefined
}

/** The file of a page, if one is to be written, and the flags of the rest. */
function findPage(
  {html, output, ...flags}: CoverageFlags,
  {isJson}: CommandContext,
): {page?: Pick<CoverageFlags, 'output-file'>; flags: CoverageFlags} {
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

function countDays(days: readonly Day[]): {proven: number; partly: number; unread: number} {
  const of = (state: Day['state']) => days.filter((day) => day.state === state).length
  return {proven: of('proven'), partly: of('partly'), unread: of('unread')}
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
