import {join} from 'node:path'
import {exitCodeOf} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import {redact} from '../../core/redact.js'
import type {Job, JobRun} from '../../jobs/file/job.js'
import type {MetricsFile, RunMetrics} from '../../jobs/metrics/run-metrics.js'
import type {Measures} from '../../jobs/metrics/step-summary.js'
import {isOn} from '../../values/truth.js'
import type {CommandContext} from '../app/command-context.js'
import {environmentName} from '../app/flags.js'
import {beforeDashes} from '../app/read-arguments.js'

type Values = Readonly<Record<string, unknown>>

/** The end of a command, and facts about it. */
export type Ending = {
  /** Arguments as given, which are searched for the file where they could not be parsed. */
  args: readonly string[]
  /** Undefined where the command line could not be parsed. */
  flags: Values | undefined
  exit: number
  errors: readonly ErrorEntry[]
  measured: readonly (() => Measures)[]
}

type Tools = Pick<CommandContext, 'environment' | 'commandName' | 'caution'>

/**
 * Writes how a run ended to the metrics file and to the summary of a workflow step; failing to do so is a warning. A
 * dry run, and one that another run locked out, have no metrics.
 */
export async function recordEnding(ending: Ending, tools: Tools): Promise<void> {
  const {flags, measured, exit} = ending
  if (flags?.['estimate'] === true) return
  const measures: Measures = Object.assign({}, ...measured.map((ask) => ask()))
  const path = readFlag('metrics-file', ending, tools)
  const isTrial = flags?.['dry-run'] === true || exit === exitCodeOf('locked').code
  if (path !== undefined && !isTrial) await recordMetrics(path, measures, ending, tools)
  const {GITHUB_STEP_SUMMARY: summary} = tools.environment
  if (summary) await summarize(summary, measures, ending, tools)
}

async function summarize(path: string, measures: Measures, ending: Ending, tools: Tools): Promise<void> {
  const {appendSummary, renderSummary} = await import('../../jobs/metrics/step-summary.js')
  const {exit, errors, flags} = ending
  const isDryRun = flags?.['dry-run'] === true
  const text = renderSummary({command: tools.commandName, exit, isDryRun, errors, measures})
  const problem = await appendSummary(path, redact(text))
  if (problem !== undefined) tools.caution(`The summary of the workflow step was not written: ${problem}`)
}

/** Writes the metrics of a command that was killed, and so could not write them. */
export async function recordKilled(ending: Ending, tools: Tools): Promise<void> {
  const isTrial = (name: string) =>
    beforeDashes(ending.args).includes(`--${name}`) || isOn(tools.environment[environmentName(name)])
  const path = readFlag('metrics-file', ending, tools)
  if (path !== undefined && !isTrial('dry-run') && !isTrial('estimate')) await recordMetrics(path, {}, ending, tools)
}

async function recordMetrics(path: string, measures: Measures, ending: Ending, tools: Tools): Promise<void> {
  const {commandName: command, caution} = tools
  const {rows, grade, requests} = measures
  const name = readFlag('metrics-name', ending, tools) ?? readFlag('since-last', ending, tools) ?? command
  if (!path.endsWith('.prom')) caution(`The node exporter reads only files that end in .prom, unlike ${path}`)
  const run = {
    ...{command, name: redact(name), profile: redact(await profileOf(measures, ending, tools))},
    ...{endedAt: systemClock.now(), seconds: process.uptime(), exit: ending.exit, rows, grade},
    ...{requests: requests?.used, quotaLeft: requests?.quotaLeft},
  }
  await saveMetrics(run, {path}, tools)
}

/** Adds how a run ended to a metrics file; failing to do so is a warning. */
async function saveMetrics(
  run: RunMetrics,
  file: Omit<MetricsFile, 'folder'>,
  {environment, caution}: Pick<Tools, 'environment' | 'caution'>,
): Promise<void> {
  try {
    const {writeMetrics} = await import('../../jobs/metrics/run-metrics.js')
    const notices = await writeMetrics(run, {...file, folder: join(stateFolder(environment), 'metrics')})
    for (const notice of notices) caution(notice)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    caution(`The metrics of ${run.name} were not written: ${error.message}`)
  }
}

async function profileOf({profile}: Measures, ending: Ending, tools: Tools): Promise<string> {
  const known = profile ?? readFlag('profile', ending, tools)
  if (known !== undefined) return known
  const {Profiles} = await import('../../settings/profiles.js')
  return new Profiles(tools.environment).inUse
}

/** The value of a flag, as parsed; else from the arguments, or from its variable. */
function readFlag(
  name: string,
  {args, flags}: Pick<Ending, 'args' | 'flags'>,
  {environment}: Pick<Tools, 'environment'>,
): string | undefined {
  if (flags) return typeof flags[name] === 'string' ? flags[name] : undefined
  const before = beforeDashes(args)
  const place = before.findIndex((arg) => arg === `--${name}` || (name === 'profile' && arg === '-p'))
  const joined = before.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
  const given = joined ?? (place === -1 ? undefined : before[place + 1])
  return (given ?? environment[environmentName(name)]) || undefined
}

type EndedJob = {job: Job; run: Pick<JobRun, 'args' | 'environment'>; startedAt: number; exit: number; file: string}

/** Writes how a job ended that could not do that itself, because it was killed or its command has no metrics. */
export async function recordJob({job, run, startedAt, exit, file}: EndedJob, context: CommandContext): Promise<void> {
  const {command} = job
  const {'dry-run': isDryRun, estimate} = job.flags
  if (exit === exitCodeOf('locked').code || isDryRun === true || estimate === true) return
  const line = {args: run.args, flags: undefined}
  const given = readFlag('profile', line, run)
  const name = readFlag('metrics-name', line, run) ?? job.name
  const {Profiles} = await import('../../settings/profiles.js')
  const profile = given ?? new Profiles(context.environment).inUse
  const endedAt = systemClock.now()
  const ended = {name, command, profile, endedAt, seconds: (endedAt - startedAt) / 1_000, exit}
  await saveMetrics(ended, {path: file, unlessEndedSince: startedAt}, context)
}
