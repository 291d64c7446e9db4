import {exitCodeOf, exitNameOf} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, entryOf, toEntries, usage} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import {registerSecret} from '../../core/redact.js'
import {describeNames, findJobs, type JobsFile} from '../../jobs/file/find-jobs.js'
import {type Job, type JobRun, toArguments, withholding} from '../../jobs/file/job.js'
import {beginJob, type JobStart} from '../../jobs/notify/job-starts.js'
import type {CommandContext} from '../app/command-context.js'
import {forScheduler, renderFailure} from '../app/messages.js'
import {type FoundTargets, findTargets} from './find-targets.js'
import {readJobsFile} from './jobs-file.js'
import type {RunFlags} from './jobs-flags.js'
import {recordJob} from './record-ending.js'
import {runWatched} from './run-own-command.js'

type Targets = FoundTargets['targets']
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
    const isOver = context.signal.aborted || (outcomes.some(hasFailed) && flags['keep-going'] !== true)
    if (context.signal.aborted) await notifyNotRun(job, run.targets, context)
    if (!isOver) starts.push(beginJob(job, () => stateFolder(context.environment)))
    const environment = {...run.environment, ...starts.at(-1)?.environment}
    outcomes.push(isOver ? {job} : await runJob(job, {...run, environment}, flags, context))
  }
  await report(outcomes, flags, context)
  for (const [place, start] of starts.entries()) start.end(outcomes[place]?.exit)
}

/** The command lines of all jobs, so that every mistake is found before the first job starts. */
async function planAll(names: readonly string[], file: JobsFile, flags: RunFlags, context: CommandContext) {
  const list = commandLine('jobs list', [], {'jobs-file': flags['jobs-file']})
  if (names.length === 0) throw usage(`Name the jobs to run; ${describeNames(file.jobs)}.`, `See: ${list}`)
  const runs: {job: Job; run: PlannedJob}[] = []
  for (const job of findJobs(names, file)) runs.push({job, run: await planJob(job, flags, context)})
  return runs
}

type PlannedJob = Omit<JobRun, 'secrets'> & FoundTargets

/** The start of a job, and whom it notifies; its secrets are left out of the plan. */
async function planJob(job: Job, flags: RunFlags, {environment}: CommandContext): Promise<PlannedJob> {
  const {secrets, ...planned} = toArguments(job, environment)
  const file = flags['metrics-file']
  const hasMetrics = file !== undefined || job.flags['metrics-file'] !== undefined
  const ofMetrics = hasMetrics && {VENDORCTL_METRICS_NAME: job.name, ...(file && {VENDORCTL_METRICS_FILE: file})}
  for (const secret of secrets) registerSecret(secret)
  const found = await findTargets(job, flags, environment)
  const isVerbose = flags.verbose && {VENDORCTL_VERBOSE: 'true'}
  return {...planned, environment: {...planned.environment, ...ofMetrics, ...isVerbose}, ...found}
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
    const run = toRun(name, job?.command ?? context.commandName, context)
    await notifyRefused(run, {job, targets}, error, context)
  }
  throw error
}

/** Reports a job that a signal kept from running as a failure. */
async function notifyNotRun(job: Job, targets: Targets, context: CommandContext): Promise<void> {
  const reason = findStop(context)
  if (!reason || Object.keys(targets).length === 0) return
  await notifyRefused(toRun(job.name, job.command, context), {job, targets}, reason, context)
}

async function notifyRefused(
  run: ReturnType<typeof toRun>,
  {job, targets}: {job: Job | undefined; targets: Targets},
  failure: CliFailure,
  {environment, caution}: CommandContext,
): Promise<void> {
  const {reportRefusal} = await import('./notice-needs.js')
  await reportRefusal(run, targets, failure, {environment: job ? withholding(job, environment) : environment, caution})
}

function toRun(name: string, command: string, {clock}: CommandContext) {
  return {name, command, at: clock.now(), rid: crypto.randomUUID()}
}

/** The signal that stopped this process. */
function findStop({signal}: CommandContext): CliFailure | undefined {
  return signal.reason instanceof CliFailure ? signal.reason : undefined
}

async function runJob(job: Job, run: PlannedJob, flags: RunFlags, context: CommandContext): Promise<Outcome> {
  const {id, args, environment, targets, wrong} = run
  const {commands, isJson, caution, clock} = context
  const {name, command} = job
  const [startedAt, began] = [clock.now(), clock.monotonic()]
  const {exitCode} = await runWatched({
    ...{name, command, environment, targets, caution},
    args: [...id.split(':'), ...args],
    root: commands.root,
    stdout: isJson ? 2 : undefined, // the envelope alone is on standard output
  })
  const {'metrics-file': file = flags['metrics-file']} = job.flags
  if (typeof file === 'string') await recordJob({job, run, startedAt, exit: exitCode, file}, context)
  return {job, exit: exitCode, missed: wrong, seconds: Math.round((clock.monotonic() - began) / 100) / 10}
}

/** The end of each job; a single job is reported by its own messages. */
async function report(outcomes: readonly Outcome[], flags: RunFlags, context: CommandContext) {
  const {messages, measure, present} = context
  const failed = outcomes.filter(hasFailed)
  const left = outcomes.filter(({exit}) => exit === undefined).map(({job}) => job.name)
  const stopped = left.length > 0 ? findStop(context) : undefined
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

/** Failures to notify, which change nothing about the work of the job. */
function toMissed({job: {name}, missed = []}: Outcome): CliFailure[] {
  const options = {code: 'NOTIFY_FAILED', retry: 'no'} as const
  return missed.map(
    ({message, hints}) => new CliFailure(`Job ${name} ended, but did not notify: ${message}`, {...options, hints}),
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
