import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {registerSecret} from '../../core/redact.js'
import {type Job, toJobTarget} from '../../jobs/file/job.js'
import {commandVariable, type Targets, urlFileVariable, urlVariable} from '../../jobs/notify/channel.js'
import type {RunFlags} from './jobs-flags.js'

const variables = {url: [urlVariable, urlFileVariable], command: [commandVariable]}

/** Whom to notify; `wrong`: why targets that the job names cannot be used. */
export type FoundTargets = {targets: Targets; wrong: CliFailure[]}

/** The targets that a job names, or else the flags or variables. Throws a `CliFailure` for wrong flags or variables. */
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
