import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {registerSecret} from '../../core/redact.js'
import {type Job, type JobRun, toArguments, toJobTarget} from '../../jobs/file/job.js'
import {commandVariable, type Targets, urlFileVariable, urlVariable} from '../../jobs/notify/channel.js'
import type {RunFlags} from './jobs-flags.js'

const variables = {url: [urlVariable, urlFileVariable], command: [commandVariable]}

/** `wrong`: why targets that the job names cannot be used. */
export type FoundTargets = {targets: Targets; wrong: CliFailure[]}

/** Whom to notify: as a job says, else as the flags or the variables do. */
export async function findTargets(
  job: Job | undefined,
  flags: RunFlags,
  environment: Environment,
): Promise<FoundTargets> {
  const found: FoundTargets = {targets: {}, wrong: []}
  for (const kind of ['url', 'command'] as const) {
    try {
      Object.assign(found.targets, await findTarget(kind, job, flags, environment))
    } catch (error) {
      if (!(error instanceof CliFailure) || job?.notify?.[kind] === undefined) throw error
      found.wrong.push(error)
    }
  }
  return found
}

async function findTarget(
  kind: 'url' | 'command',
  job: Job | undefined,
  flags: RunFlags,
  environment: Environment,
): Promise<Targets> {
  const {text, secrets} = job ? toJobTarget(job, kind, environment) : {text: undefined, secrets: []}
  for (const secret of secrets) registerSecret(secret)
  const given = text ?? flags[`notify-${kind}`]
  if (given === undefined && !variables[kind].some((name) => environment[name])) return {}
  const {toCommandTarget, toUrlTarget} = await import('./notify-values.js')
  return kind === 'url' ? toUrlTarget(given, environment) : toCommandTarget(given, environment)
}

export type PlannedJob = Omit<JobRun, 'secrets'> & FoundTargets

/** The start of a job, and whom it notifies; its secrets are left out of the plan. */
export async function planJob(job: Job, flags: RunFlags, environment: Environment): Promise<PlannedJob> {
  const {secrets, ...planned} = toArguments(job, environment)
  const file = flags['metrics-file']
  const hasMetrics = file !== undefined || job.flags['metrics-file'] !== undefined
  const ofMetrics = hasMetrics && {VENDORCTL_METRICS_NAME: job.name, ...(file && {VENDORCTL_METRICS_FILE: file})}
  for (const secret of secrets) registerSecret(secret)
  const found = await findTargets(job, flags, environment)
  const isVerbose = flags.verbose && {VENDORCTL_VERBOSE: 'true'}
  return {...planned, environment: {...planned.environment, ...ofMetrics, ...isVerbose}, ...found}
}
