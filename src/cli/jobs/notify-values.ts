import type {Environment} from '../../core/environment.js'
import {usage} from '../../core/errors.js'
import {commandVariable, type Targets, urlFileVariable, urlVariable} from '../../jobs/notify/channel.js'
import {toNotifyUrl} from '../../jobs/notify/send-url.js'
import {splitArguments} from '../../jobs/split-arguments.js'

/** Targets of reports, by a flag, else by the environment. Throws `usage` at a wrong value, `denied` at a file. */
export async function toUrlTarget(given: string | undefined, environment: Environment): Promise<Targets> {
  const url = given || environment[urlVariable] || (await readUrlFile(environment[urlFileVariable]))
  return url ? {url: checkUrl(url)} : {}
}

export function toCommandTarget(given: string | undefined, environment: Environment): Targets {
  const command = given || environment[commandVariable]
  return command ? {command: splitArguments(command, 'notify-command')} : {}
}

async function readUrlFile(path: string | undefined): Promise<string | undefined> {
  if (!path) return undefined
  const {readSecretFile} = await import('../../core/small-file.js')
  return readSecretFile(path, urlFileVariable).trim()
}

function checkUrl(text: string): string {
  if (toNotifyUrl(text)) return text
  throw usage('The address to notify is not an http:// or https:// one.', 'See: vendorctl help scheduling')
}
