import {filterKeysOf, filterOf, readOperation, transactionReport} from '../../contract/index.js'
import {commandLine, type FlagValues, flagWord} from '../../core/command-line.js'
import type {PageFacts} from '../../reports/summary/summary-page-facts.js'
import {counted} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {fromAnyFolder} from '../reports/export-commands.js'
import {findAlerts} from './page-alerts.js'
import {findHoles} from './page-holes.js'
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
