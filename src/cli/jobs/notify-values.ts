import {CliFailure} from '../../core/errors.js'
import {commandVariable, type Targets, urlFileVariable, urlVariable} from '../../jobs/notify/channel.js'
import {toNotifyUrl} from '../../jobs/notify/send-url.js'
import {splitWords} from '../../jobs/words.js'
import type {Environment} from '../app/environment.js'

/** Whom to notify, from the flags, else from the environment. Throws `usage` at a value that is none, `denied` at a file. */
export async function toTargets(
  given: {url?: string | undefined; command?: string | undefined},
  environment: Environment,
): Promise<Targets> {
  return {...(await toUrlTarget(given.url, environment)), ...toCommandTarget(given.command, environment)}
}

export async function toUrlTarget(given: string | undefined, environment: Environment): Promise<Targets> {
  const url = given || environment[urlVariable] || (await readUrlFile(environment[urlFileVariable]))
  return url ? {url: checkUrl(url)} : {}
}

export function toCommandTarget(given: string | undefined, environment: Environment): Targets {
  const command = given || environment[commandVariable]
  return command ? {command: splitWords(command, 'notify-command')} : {}
}

async function readUrlFile(path: string | undefined): Promise<string | undefined> {
  if (!path) return undefined
  const {readSecretFile} = await import('../app/read-small-file.js')
  return readSecretFile(path, urlFileVariable).trim()
}

function checkUrl(text: string): string {
  if (toNotifyUrl(text)) return text
  throw wrongUsage('--notify-url is not an http:// or https:// address.', 'See: vendorctl help scheduling')
}

/** As the failures of the parser are, without loading it. */
export function wrongUsage(message: string, hint: string): CliFailure {
  return new CliFailure(message, {code: 'USAGE', hints: [hint]})
}
