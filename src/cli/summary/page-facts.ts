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
import {systemClock} from '../../core/clock.js'
import {commandLine, type FlagValues, flagWord} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {toCellText} from '../../formats/flatten.js'
import type {PageAlert, PageCoverage} from '../../formats/write/html/page-data.js'
import {registerPath} from '../../reports/register/export-tables.js'
import type {Covered} from '../../reports/register/written-files.js'
import {coverageScope} from '../../reports/run/export-scopes.js'
import type {PageFacts} from '../../reports/summary/summary-page-facts.js'
import {type Day, hasPassed, listDays} from '../../reports/verify/days-read.js'
import {counted} from '../../values/counted.js'
import {millisecondsPerDay, toMilliseconds} from '../../values/date-time.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {fromAnyFolder} from '../reports/export-commands.js'
import {openRegister, toSource} from '../reports/export-session.js'
import type {LiveSource, SummaryFlags, SummarySource} from './summary-output.js'

type Facts = Omit<PageFacts, 'generatedAt'>

const words = 'reports summary'

/** What a picture shows beside the figures; holes and alerts on the page of a live read only. */
export async function findFacts(
  source: SummarySource,
  flags: SummaryFlags,
  context: CommandContext,
  {isPage}: {isPage: boolean},
): Promise<Facts> {
  const tool = `vendorctl ${context.version}`
  if ('file' in source) {
    const {file} = source
    const isInput = file === '-'
    const named = file.startsWith('-') ? `./${file}` : file
    const command = isInput ? commandLine(`${words} -`) : commandLine(words, [named])
    return {filters: [], source: isInput ? 'standard input' : file, command, notes: [], tool}
  }

  const {dates, narrowing, ...described} = describeService(source, flags)
  const facts = {...described, command: commandLine(words, [], {...dates, ...narrowing}), tool}
  if (!isPage) return {...facts, notes: []}
  const {notes: ofHoles, coverage} = await findHoles(source, context)
  const {notes: ofAlerts, alerts} = await findAlerts(source)
  const listHoles = commandLine('reports coverage', [], {...dates, ...narrowing})
  const listAlerts = commandLine('alerts list', [], {...narrowing, where: 'isCleared=false', output: 'csv'})
  return {
    ...facts,
    ...(coverage && {coverage: {...coverage, command: listHoles}}),
    ...(alerts && {alerts: {...alerts, command: listAlerts}}),
    ...(source.before?.counts && {before: source.before.counts}),
    notes: [...ofHoles, ...ofAlerts, ...(source.before?.note === undefined ? [] : [source.before.note])],
  }
}

function describeService({opened, filters, range}: LiveSource, flags: SummaryFlags) {
  const {profile, values} = opened.resolved
  const dates = {
    ...(range.start !== undefined && {start: range.start}),
    ...(range.end !== undefined && {end: range.end}),
  }
  const given: Record<string, readonly string[] | true> = {}
  const shown: string[] = []
  for (const key of filterKeysOf(readOperation(transactionReport))) {
    const {flag} = filterOf(key)
    const value = filters[key]
    if (value === undefined) continue
    const texts = [flags[flag]].flat().map(String)
    given[flag] = value === true || texts.map(fromAnyFolder)
    shown.push(showFilter(flag, value === true || texts, Array.isArray(value) ? value.length : 1))
  }

  const settings: FlagValues = {profile, ...(flags.stage !== undefined && {stage: flags.stage})}
  return {
    filters: shown,
    ...(range.start !== undefined && range.end !== undefined && {range: {from: range.start, to: range.end}}),
    source: `${values.baseUrl.value ?? ''}, stage ${values.stage.value ?? ''}, profile ${profile}`,
    dates,
    narrowing: {...given, ...settings},
  }
}

const longestFilter = 60

function showFilter(flag: string, given: readonly string[] | true, count: number): string {
  const word = given === true ? flagWord(flag, true) : given.map((text) => flagWord(flag, text)).join(' ')
  return word.length <= longestFilter ? word : `--${flag} (${counted(count, 'value')})`
}

type FoundHoles = {notes: PageFacts['notes']; coverage?: Coverage}
type Coverage = Omit<PageCoverage, 'command'>

/**
 * Days of the range that no export of this machine has proven, from its register and without a request. A machine that
 * exports nothing of the kind has no holes to show.
 */
async function findHoles(source: LiveSource, {environment}: CommandContext): Promise<FoundHoles> {
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

/** The part of a client that reads lists. */
export type AlertReader = {
  readPages(id: ReadId, request: {filters: FilterValues}): AsyncIterable<Pick<Page, 'records' | 'served'>>
}
type AlertSource = {opened: {client: AlertReader}; filters: FilterValues}
type FoundAlerts = {notes: PageFacts['notes']; alerts?: Omit<NonNullable<PageFacts['alerts']>, 'command'>}

/**
 * Open alerts of the same sites and machines: one read of the list, and one of the codes when there are any. The figures
 * stand without them, so a read that fails is a note; a command that was stopped ends.
 */
export async function findAlerts({opened: {client}, filters}: AlertSource): Promise<FoundAlerts> {
  const unknown = findUnknown(filters)
  if (unknown !== undefined)
    return {notes: [`Open alerts are not shown: they cannot be narrowed by --${filterOf(unknown).flag}.`]}
  try {
    const {codes, raisedFrom} = await readOpen(client, filters)
    const meanings = codes.length > 0 ? await readMeanings(client) : new Map<string, string>()
    const alerts = codes.map((each) => toAlert(each, meanings)).sort((one, other) => other.open - one.open)
    return {alerts: {...(raisedFrom !== undefined && {raisedFrom}), codes: alerts}, notes: []}
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
