import {existsSync} from 'node:fs'
import type {FilterValues, Page} from '../../client/types.js'
import {
  alertCodeList,
  alertList,
  dateClockOf,
  filterKeysOf,
  filterOf,
  isStop,
  type ReadId,
  readOperation,
  transactionReport,
} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {toCellText} from '../../formats/flatten.js'
import type {PageAlert, PageCoverage} from '../../formats/write/html/page-data.js'
import {millisecondsPerDay, toMilliseconds} from '../../values/date-time.js'
import {defined} from '../../values/defined.js'
import type {JsonRecord} from '../../values/json.js'
import type {ServiceSource} from '../../values/service.js'
import type {Window} from '../read/windows.js'
import type {Covered} from '../register/export-register.js'
import {registerPath} from '../register/register-tables.js'
import {coverageScope} from '../run/export-scopes.js'
import {type Day, edgeMilliseconds, hasPassed, listDays} from '../verify/days-read.js'
import type {PageFacts} from './summary-page-facts.js'

type Coverage = Omit<PageCoverage, 'command'>
type FoundHoles = {notes: PageFacts['notes']; coverage?: Coverage}

/** A live read, and the folder of the register of exports of this machine. */
export type LiveRead = {folder: string; source: ServiceSource; filters: FilterValues; range: Window; now: number}

/**
 * Days of the range that no export of this machine has proven, from its register and without a request. A machine that
 * exports nothing of the kind has no holes to show.
 */
export async function findHoles({folder, source, filters, range, now}: LiveRead): Promise<FoundHoles> {
  const [start, end] = [toMilliseconds(range.start ?? ''), toMilliseconds(range.end ?? '')]
  const path = registerPath(folder)
  if (start === undefined || end === undefined || !existsSync(path)) return {notes: []}
  const {openExportRegister} = await import('../register/export-register.js')
  try {
    const register = openExportRegister(path)
    const covered = register.covered(coverageScope(source, transactionReport, filters))
    register.close()
    return {notes: [], ...(covered.length > 0 && {coverage: toCoverage(covered, {start, end}, now)})}
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

/** The part of a client that reads lists. */
export type AlertReader = {
  readPages(id: ReadId, request: {filters: FilterValues}): AsyncIterable<Pick<Page, 'records' | 'served'>>
}
type FoundAlerts = {notes: PageFacts['notes']; alerts?: Omit<NonNullable<PageFacts['alerts']>, 'command'>}

/**
 * Open alerts of the same sites and machines: one read of the list, and one of the codes when there are any. The
 * figures are complete without them, so a failed read is a note; a command that was stopped ends.
 */
export async function findAlerts(client: AlertReader, filters: FilterValues): Promise<FoundAlerts> {
  const unknown = findUnknown(filters)
  if (unknown !== undefined)
    return {notes: [`Open alerts are not shown: they cannot be narrowed by --${filterOf(unknown).flag}.`]}
  try {
    const {codes, raisedFrom} = await readOpen(client, filters)
    const meanings = codes.length > 0 ? await readMeanings(client) : new Map<string, string>()
    const alerts = codes.map((each) => toAlert(each, meanings)).sort((one, other) => other.open - one.open)
    return {alerts: {...defined({raisedFrom}), codes: alerts}, notes: []}
  } catch (error) {
    if (!(error instanceof CliFailure) || isStop(error.exit)) throw error
    return {notes: [`Open alerts are not shown: ${error.message}`]}
  }
}

/** A filter of the report that the list of alerts does not know. */
function findUnknown(filters: FilterValues) {
  const known: readonly string[] = filterKeysOf(readOperation(alertList))
  return filterKeysOf(readOperation(transactionReport)).find(
    (key) => filters[key] !== undefined && !known.includes(key),
  )
}

async function readOpen(client: AlertReader, filters: FilterValues) {
  const codes = new Map<string, Open>()
  let raisedFrom: string | undefined
  for await (const {records, served} of client.readPages(alertList, {filters})) {
    raisedFrom ??= served.start
    for (const record of records) if (record['isCleared'] === false) addAlert(codes, record)
  }

  return {codes: [...codes.values()], raisedFrom}
}

async function readMeanings(client: AlertReader): Promise<Map<string, string>> {
  const meanings = new Map<string, string>()
  for await (const {records} of client.readPages(alertCodeList, {filters: {}})) {
    for (const {code, description} of records) {
      if (typeof code === 'string' && typeof description === 'string') meanings.set(code, description)
    }
  }

  return meanings
}

type Open = {code: string; machines: Set<string>; open: number; oldest: string | null}

function addAlert(codes: Map<string, Open>, record: JsonRecord): void {
  const textOf = (field: string) => toCellText(record[field]) ?? null
  const code = textOf('code') ?? ''
  const found: Open = codes.get(code) ?? {code, machines: new Set(), open: 0, oldest: null}
  codes.set(code, found)
  const raisedAt = textOf('raisedAt')
  found.open++
  found.machines.add(textOf('machineId') ?? '')
  if (raisedAt !== null && (found.oldest === null || raisedAt < found.oldest)) found.oldest = raisedAt
}

function toAlert({code, machines, open, oldest}: Open, meanings: ReadonlyMap<string, string>): PageAlert {
  return {code, meaning: meanings.get(code) ?? null, open, machines: machines.size, oldest}
}
