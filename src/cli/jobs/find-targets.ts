import {type Job, toJobTargets} from '../../jobs/file/job.js'
import {commandVariable, type Targets, urlFileVariable, urlVariable} from '../../jobs/notify/channel.js'
import type {Environment} from '../app/environment.js'
import {registerSecret} from '../app/redact.js'
import type {RunFlags} from './jobs-flags.js'

const variables = [urlVariable, urlFileVariable, commandVariable]

/** Whom to notify: as a job says, else as the flags or the variables do. */
export async function findTargets(job: Job | undefined, flags: RunFlags, environment: Environment): Promise<Targets> {
  const {targets, secrets} = job ? toJobTargets(job, environment) : {targets: {}, secrets: []}
  for (const secret of secrets) registerSecret(secret)
  const {url = flags['notify-url'], command = flags['notify-command']} = targets
  if (url === undefined && command === undefined && !variables.some((name) => environment[name])) return {}
  const {toTargets} = await import('./notify-values.js')
  return toTargets({url, command}, environment)
}
