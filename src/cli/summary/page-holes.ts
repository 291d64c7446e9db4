import {existsSync} from 'node:fs'
import {dateClockOf, transactionReport} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {PageCoverage} from '../../formats/write/html/page-data.js'
import {registerPath} from '../../reports/register/export-tables.js'
import type {Covered} from '../../reports/register/written-files.js'
import {coverageScope} from '../../reports/run/export-scopes.js'
import type {PageFacts} from '../../reports/summary/summary-page-facts.js'
import {type Day, hasPassed, listDays} from '../../reports/verify/days-read.js'
import {millisecondsPerDay, toMilliseconds} from '../../values/date-time.js'
import type {CommandContext} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {openRegister, toSource} from '../reports/export-session.js'
import type {LiveSource} from './summary-output.js'

type Found = {notes: PageFacts['notes']; coverage?: Coverage}
type Coverage = Omit<PageCoverage, 'command'>

/**
 * Days of the range that no export of this machine has proven, from its register and without a request. A machine that
 * exports nothing of the kind has no holes to show.
 */
export async function findHoles(source: LiveSource, {environment}: CommandContext): Promise<Found> {
  const {opened, filters, range} = source
  const [start, end] = [toMilliseconds(range.start ?? ''), toMilliseconds(range.end ?? '')]
  if (start === undefined || end === undefined) return {notes: []}
  if (!existsSync(registerPath(stateFolder(environment)))) return {notes: []}
  try {
    const register = await openRegister(environment)
    const covered = register.covered(coverageScope(toSource(opened), transactionReport, filters))
    register.close()
    if (covered.length === 0) return {notes: []}
    const now = systemClock.now()
    return {coverage: toCoverage(covered, {start, end}, now), notes: []}
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    return {notes: [`Holes in coverage are not shown: ${error.message}`]}
  }
}

/** Judges days that are in the range from end to end and are over on every machine. */
export function toCoverage(
  covered: readonly Covered[],
  {start, end}: Record<'start' | 'end', number>,
  now: number,
): Coverage {
  const isInside = (day: string) => {
    const from = toMilliseconds(`${day}T00:00:00`) ?? 0
    return from >= start && from + millisecondsPerDay <= end + edgeMilliseconds
  }
  const all = listDays(covered, start, end)
  const judged = all.filter(({day}) => isInside(day) && hasPassed(day, now, dateClockOf(transactionReport)))
  return {
    provenDays: judged.filter(({state}) => state === 'proven').length,
    holes: toRuns(judged),
    otherDays: all.length - judged.length,
  }
}

/** A day ends with its last millisecond, or with its last second. */
const edgeMilliseconds = 1_000

/** Alike neighbours are one run. */
function toRuns(days: readonly Day[]): PageCoverage['holes'] {
  const runs: PageCoverage['holes'][number][] = []
  let previous: Day['state'] = 'proven'
  for (const {day, state} of days) {
    const last = runs.at(-1)
    if (state !== 'proven' && state === previous && last) runs[runs.length - 1] = {...last, to: day}
    else if (state !== 'proven') runs.push({from: day, to: day, state})
    previous = state
  }

  return runs
}
