import {filterKeysOf, filterOf, readOperation, transactionReport} from '../../contract/index.js'
import {commandLine, flagText} from '../../core/command-line.js'
import {stateFolder} from '../../core/folders.js'
import {findAlerts, findHoles} from '../../reports/summary/page-context.js'
import type {PageFacts} from '../../reports/summary/summary-page-facts.js'
import {counted} from '../../values/counted.js'
import {defined} from '../../values/defined.js'
import type {CommandContext} from '../app/command-context.js'
import {fromAnyFolder} from '../reports/export-commands.js'
import type {LiveSource, SummaryFlags, SummarySource} from './summary-output.js'

type Facts = Omit<PageFacts, 'generatedAt'>

const words = 'reports summary'

/** Content of a picture besides the figures; holes and alerts on the page of a live read only. */
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
  const {opened, filters, range, before} = source
  const live = {source: opened.source, filters, range, now: context.clock.now()}
  const {notes: ofHoles, coverage} = await findHoles({folder: stateFolder(context.environment), ...live})
  const {notes: ofAlerts, alerts} = await findAlerts(opened.client, filters)
  const listHoles = commandLine('reports coverage', [], {...dates, ...narrowing})
  const listAlerts = commandLine('alerts list', [], {...narrowing, where: 'isCleared=false', output: 'csv'})
  return {
    ...facts,
    ...(coverage && {coverage: {...coverage, command: listHoles}}),
    ...(alerts && {alerts: {...alerts, command: listAlerts}}),
    ...(before?.counts && {before: before.counts}),
    notes: [...ofHoles, ...ofAlerts, before?.note].filter((note) => note !== undefined),
  }
}

function describeService({opened, filters, range: {start, end}}: LiveSource, flags: SummaryFlags) {
  const {profile, values} = opened.resolved
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

  return {
    filters: shown,
    ...defined({range: start === undefined || end === undefined ? undefined : {from: start, to: end}}),
    source: `${values.baseUrl.value ?? ''}, stage ${values.stage.value ?? ''}, profile ${profile}`,
    dates: {start, end},
    narrowing: {...given, profile, stage: flags.stage},
  }
}

const longestFilter = 60

function showFilter(flag: string, given: readonly string[] | true, count: number): string {
  const word = given === true ? flagText(flag, true) : given.map((text) => flagText(flag, text)).join(' ')
  return word.length <= longestFilter ? word : `--${flag} (${counted(count, 'value')})`
}
