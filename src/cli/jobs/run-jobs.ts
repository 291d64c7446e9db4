import {exitCodeOf, exitNameOf} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, entryOf, toEntries, usage} from '../../core/errors.js'
import {type Job, type JobRun, toArguments, withholding} from '../../jobs/file/job.js'
import type {Targets} from '../../jobs/notify/channel.js'
import type {CommandContext} from '../app/command-context.js'
import type {Environment} from '../app/environment.js'
import {forScheduler} from '../app/messages.js'
import {renderFailure} from '../app/render-failure.js'
import {Profiles} from '../settings/profiles.js'
import {registerSecret} from '../terminal/redact.js'
import {stopSignal} from '../terminal/signals.js'
import {type FoundTargets, findTargets} from './find-targets.js'
import {beginJob, type JobStart} from './job-starts.js'
import {describeNames, findJobs, type JobsFile, readJobsFile} from './jobs-file.js'
import type {RunFlags} from './jobs-flags.js'
import {readFlag, saveMetrics} from './record-ending.js'
import {runWatched} from './run-own.js'

type Planned = Omit<JobRun, 'secrets'> & FoundTargets

/** A job with its exit code and seconds; without them it was not run. `missed`: why it could not notify. */
type Outcome = {job: Job; exit?: number; seconds?: number; missed?: CliFailure[]}

/**
 * Runs jobs in this order, each as a process of its own. Stops at the first that fails unless `--keep-going`; ends with
 * the exit code of the first failure, or of the signal that kept a job from running.
 */
export async function runJobs(names: readonly string[], flags: RunFlags, given: CommandContext): Promise<void> {
  const context = {...given, messages: forScheduler('jobs run', flags.verbose, given.messages)}
  const file = await readJobsFile(flags, context).catch((error) => refuse(error, names, [], flags, context))
  const runs = await planAll(names, file, flags, context).catch((error) =>
    refuse(error, names, file.jobs, flags, context),
  )
  const outcomes: Outcome[] = []
  const starts: JobStart[] = []
  for (const {job, run} of runs) {
    const isOver = stopSignal().aborted || (outcomes.some(hasFailed) && flags['keep-going'] !== true)
    if (stopSignal().aborted) await notifyNotRun(job, run.targets, context)
    if (!isOver) starts.push(beginJob(job, context.environment))
    const environment = {...run.environment, ...starts.at(-1)?.environment}
    outcomes.push(isOver ? {job} : await runJob(job, {...run, environment}, flags, context))
  }
  await report(outcomes, flags, context)
  for (const [place, start] of starts.entries()) start.end(outcomes[place]?.exit)
}

/** Everything that can be wrong is found before the first job starts. */
async function planAll(names: readonly string[], file: JobsFile, flags: RunFlags, {environment}: CommandContext) {
  if (names.length === 0) throw usage(`Name the jobs to run; ${describeNames(file.jobs)}.`, 'See: vendorctl jobs list')
  const runs: {job: Job; run: Planned}[] = []
  for (const job of findJobs(names, file)) runs.push({job, run: await plan(job, flags, environment)})
  return runs
}

/** Reports the failure for each job that was to run, because none of them was started. */
async function refuse(
  error: unknown,
  names: readonly string[],
  jobs: readonly Job[],
  flags: RunFlags,
  context: CommandContext,
): Promise<never> {
  if (!(error instanceof CliFailure)) throw error
  for (const name of names) {
    const job = jobs.find((each) => each.name === name)
    const found = await findTargets(job, flags, context.environment).catch(() => undefined) // they may be what is wrong
    const targets = found?.targets ?? {}
    if (Object.keys(targets).length === 0) continue
    const run = toRun(name, job?.command ?? context.commandName)
    await notifyRefused(run, {job, targets}, error, context)
  }
  throw error
}

/** A job that a signal kept from running is a failure to whoever watches it. */
async function notifyNotRun(job: Job, targets: Targets, context: CommandContext): Promise<void> {
  const reason = findStop()
  if (!reason || Object.keys(targets).length === 0) return
  await notifyRefused(toRun(job.name, job.command), {job, targets}, reason, context)
}

async function notifyRefused(
  run: ReturnType<typeof toRun>,
  {job, targets}: {job: Job | undefined; targets: Targets},
  failure: CliFailure,
  {environment, caution}: CommandContext,
): Promise<void> {
  const {reportRefusal} = await import('./create-notice.js')
  await reportRefusal(run, targets, failure, {environment: job ? withholding(job, environment) : environment, caution})
}

function toRun(name: string, command: string) {
  return {name, command, at: systemClock.now(), rid: crypto.randomUUID()}
}

/** The signal that stopped this process. */
function findStop(): CliFailure | undefined {
  return stopSignal().reason instanceof CliFailure ? stopSignal().reason : undefined
}

async function plan(job: Job, flags: RunFlags, environment: Environment): Promise<Planned> {
  const {secrets, ...planned} = toArguments(job, environment)
  const file = flags['metrics-file']
  const hasMetrics = file !== undefined || job.flags['metrics-file'] !== undefined
  const ofMetrics = hasMetrics && {VENDORCTL_METRICS_NAME: job.name, ...(file && {VENDORCTL_METRICS_FILE: file})}
  for (const secret of secrets) registerSecret(secret)
  const found = await findTargets(job, flags, environment)
  const isVerbose = flags.verbose && {VENDORCTL_VERBOSE: 'true'}
  return {...planned, environment: {...planned.environment, ...ofMetrics, ...isVerbose}, ...found}
}

async function runJob(job: Job, run: Planned, flags: RunFlags, context: CommandContext): Promise<Outcome> {
  const {id, args, environment, targets, wrong} = run
  const {commands, isJson, caution} = context
  const {name, command} = job
  const [startedAt, began] = [systemClock.now(), systemClock.monotonic()]
  const {exitCode} = await runWatched({
    ...{name, command, environment, targets, caution},
    args: [...id.split(':'), ...args],
    root: commands.root,
    stdout: isJson ? 2 : undefined, // the envelope alone is on standard output
  })
  const {'metrics-file': file = flags['metrics-file']} = job.flags
  if (typeof file === 'string') {
    await recordJob({job, run, startedAt, exit: exitCode, file}, context)
  }
  return {job, exit: exitCode, missed: wrong, seconds: Math.round((systemClock.monotonic() - began) / 100) / 10}
}

/** How each job ended; of one job alone, its own messages say that. */
async function report(outcomes: readonly Outcome[], flags: RunFlags, {messages, measure, present}: CommandContext) {
  const failed = outcomes.filter(hasFailed)
  const left = outcomes.filter(({exit}) => exit === undefined).map(({job}) => job.name)
  const stopped = left.length > 0 ? findStop() : undefined
  const missed = outcomes.flatMap(toMissed)
  const code = failed[0]?.exit ?? stopped?.exitCode ?? missed[0]?.exitCode ?? 0
  const file = flags['jobs-file']
  const more = file === undefined ? {} : {'jobs-file': file}
  const next = left.length > 0 ? [`→ Run the rest: ${commandLine('jobs run', left, more)}`] : []
  const lines = [...outcomes.map(describe), ...next]
  if (outcomes.length > 1) code !== 0 ? messages.tell(lines) : messages.note(lines)
  for (const failure of missed) messages.tell(renderFailure(failure, process.stderr))

  const data = outcomes.map(({job: {name, command}, exit = null, seconds = null}) => ({name, command, exit, seconds}))
  measure(() => ({jobs: data}))
  await present({
    data,
    exit: exitNameOf(code),
    errors: [
      ...failed.map(toEntry),
      ...(failed.length === 0 && stopped ? toEntries(stopped) : []),
      ...missed.flatMap(toEntries),
    ],
  })
  process.exitCode = code // that of a job that was killed has no name
}

/** The command of the job did its work all the same. */
function toMissed({job: {name}, missed = []}: Outcome): CliFailure[] {
  const options = {code: 'NOTIFY_FAILED', retry: 'no'} as const
  return missed.map(
    ({message, hints}) => new CliFailure(`${name} ran, but did not notify: ${message}`, {...options, hints}),
  )
}

function describe({job: {name}, exit, seconds}: Outcome): string {
  if (exit === undefined) return `${name}: not run`
  return exit === 0 ? `${name}: done in ${seconds} s` : `${name}: exit ${exit} (${exitNameOf(exit)}) after ${seconds} s`
}

function toEntry(outcome: Outcome): ErrorEntry {
  const exit = outcome.exit ?? exitCodeOf('failure').code
  return entryOf('JOB_FAILED', describe(outcome), {exit, changed: 'unknown', retry: 'safe'})
}

function hasFailed({exit}: Outcome): boolean {
  return exit !== undefined && exit !== 0
}

type EndedJob = {job: Job; run: Pick<JobRun, 'args' | 'environment'>; startedAt: number; exit: number; file: string}

/** Writes how a job ended that could not do that itself, because it was killed or its command has no metrics. */
async function recordJob({job, run, startedAt, exit, file}: EndedJob, context: CommandContext): Promise<void> {
  const {name, command} = job
  const {'dry-run': isDryRun, estimate} = job.flags
  if (exit === exitCodeOf('locked').code || isDryRun === true || estimate === true) return
  const given = readFlag('profile', {args: run.args, flags: undefined}, run)
  const profile = given ?? new Profiles(context.environment).inUse
  const endedAt = systemClock.now()
  const ended = {name, command, profile, endedAt, seconds: (endedAt - startedAt) / 1_000, exit}
  await saveMetrics(ended, {path: file, unlessEndedSince: startedAt}, context)
}
