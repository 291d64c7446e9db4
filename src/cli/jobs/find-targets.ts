import {CliFailure} from '../../core/errors.js'
import {type Job, toJobTarget} from '../../jobs/file/job.js'
import {commandVariable, type Targets, urlFileVariable, urlVariable} from '../../jobs/notify/channel.js'
import type {Environment} from '../app/environment.js'
import {registerSecret} from '../terminal/redact.js'
import type {RunFlags} from './jobs-flags.js'

const variables = {url: [urlVariable, urlFileVariable], command: [commandVariable]}

/** `wrong`: why a target that the job names is none. */
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
