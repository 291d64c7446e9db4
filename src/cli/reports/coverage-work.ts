import {transactionReport} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {ExportAsk} from '../../reports/export/export-types.js'
import {listDaysAndFiles} from '../../reports/register/lost-files.js'
import {type Day, findHoles, hasPassed} from '../../reports/verify/coverage.js'
import {counted} from '../../values/counted.js'
import {millisecondsPerDay, toMilliseconds} from '../../values/date-time.js'
import type {JsonValue} from '../../values/json.js'
import {toFilterValues} from '../read/filter-values.js'
import {toRequests} from '../read/finish-read.js'
import {toSource} from './export-engine.js'
import type {ExportFlags} from './export-flags.js'
import {findLayout, toAsk} from './export-plan.js'
import {coverageScope} from './export-records.js'
import {describeOutcome, describePacked, isMisnamed} from './export-words.js'
import {type ExportTools, ExportWork} from './export-work.js'
import {renderCalendar} from './render-calendar.js'
import {exportFile} from './run-export.js'

export type CoverageFlags = ExportFlags & {fill?: boolean}

const id = transactionReport
/** Days that are shown when no start is given. */
const usualDays = 90
/** A hole that is filled gets a file of its own. */
const usualName = 'tx-{start}-{end}.csv'

/** Which days exports of this machine have read, and files for those that they have not. */
export class CoverageWork extends ExportWork {
  async coverage(flags: CoverageFlags): Promise<void> {
    const {StartDate, EndDate, ...filters} = toFilterValues(id, flags, systemClock.now())
    const now = systemClock.now()
    const end = Math.min(momentOf(EndDate) ?? now, now)
    const start = momentOf(StartDate) ?? end - usualDays * millisecondsPerDay
    await this.withEngine(flags, async (tools) => {
      const scope = coverageScope(toSource(tools.opened), filters)
      const look = () => listDaysAndFiles(tools.register.covered(scope), start, end)
      const written =
        flags.fill === true ? await this.#fill(flags, filters, findHoles(this.#passed(look().days, now)), tools) : []
      const {days, lost} = look()
      const counts = toCounts(days)
      await this.present({
        data: {...counts, days, holes: findHoles(days), written, lost} as unknown as JsonValue,
        text: renderCalendar(days, counts, lost),
        meta: {requests: toRequests(tools.opened)},
      })
    })
  }

  /** What has not passed everywhere would have to be read again. */
  #passed(days: readonly Day[], now: number): Day[] {
    const passed = days.filter(({day}) => hasPassed(day, now))
    const first = days.find(({day, state}) => state !== 'proven' && !hasPassed(day, now))
    if (first)
      this.messages.note(`${first.day} and later have not passed on every machine yet; they are left for later.`)
    return passed
  }

  async #fill(
    flags: CoverageFlags,
    filters: ExportAsk['filters'],
    holes: readonly [string, string][],
    tools: ExportTools,
  ): Promise<string[]> {
    const written: string[] = []
    const file = flags['output-file'] ?? (flags.gzip === true ? `${usualName}.gz` : usualName)
    if (holes.length > 0 && isMisnamed(flags, file)) this.caution(describePacked(file))
    if (holes.length > 1 && !file.includes('{start}')) throw oneFile(file, holes.length)
    for (const [first, last] of holes) {
      const range = {start: `${first}T00:00:00`, end: `${last}T23:59:59.999`}
      const named = {...flags, start: first, end: last, 'output-file': file}
      const layout = findLayout(named, range)
      const ask = toAsk(named, filters, range)
      const before = tools.opened.client.requestsUsed
      const exported = layout && (await exportFile(this.toOne(named, {layout, ask}, tools)))
      if (!exported) continue
      const {outcome, path} = exported
      this.messages.note(describeOutcome(path, outcome, tools.opened.client.requestsUsed - before))
      if (outcome.kind !== 'incomplete') written.push(path)
      for (const {message} of outcome.errors ?? []) this.caution(message)
    }

    return written
  }
}

function momentOf(value: unknown): number | undefined {
  return typeof value === 'string' ? toMilliseconds(value) : undefined
}

function toCounts(days: readonly Day[]): {proven: number; partly: number; unread: number} {
  const of = (state: Day['state']) => days.filter((day) => day.state === state).length
  return {proven: of('proven'), partly: of('partly'), unread: of('unread')}
}

function oneFile(file: string, holes: number): CliFailure {
  return new CliFailure(`--fill writes ${counted(holes, 'file')}, and --output-file names one: ${file}`, {
    code: 'TEMPLATE',
    exit: 'usage',
    hints: [`Put {start} and {end} in the name: ${usualName}`],
  })
}
