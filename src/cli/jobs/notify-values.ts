import {commandVariable, type Targets, urlFileVariable, urlVariable} from '../../jobs/notify/channel.js'
import {toNotifyUrl} from '../../jobs/notify/send-url.js'
import {splitWords} from '../../jobs/words.js'
import type {Environment} from '../app/environment.js'
import {usage} from '../app/usage-error.js'
import {readSecretFile} from '../settings/credentials.js'

/** Whom to notify, from the flags, else from the environment. Throws `usage` at a value that is none, `denied` at a file. */
export function toTargets(given: {url?: string | undefined; command?: string | undefined}, environment: Environment) {
  const url = given.url || environment[urlVariable] || readUrlFile(environment[urlFileVariable])
  const command = given.command || environment[commandVariable]
  const targets: Targets = {
    ...(url && {url: checkUrl(url)}),
    ...(command && {command: splitWords(command, 'notify-command')}),
  }
  return targets
}

function readUrlFile(path: string | undefined): string | undefined {
  return path ? readSecretFile(path, urlFileVariable).trim() : undefined
}

function checkUrl(text: string): string {
  if (toNotifyUrl(text)) return text
  throw usage('--notify-url is not an http:// or https:// address.', 'See: vendorctl help scheduling')
}
