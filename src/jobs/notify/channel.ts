import type {Facts, Run} from './event.js'

/** The variable that tells a command that it is watched, over the channel that Node opens for its children. */
export const watchedVariable = 'VENDORCTL_WATCHED'

/** Tells the command of a job when a start of it began that was killed, in milliseconds since 1970. */
export const killedStartVariable = 'VENDORCTL_KILLED_START'

/** Variables that ask for notification. A command that is watched has none of them. */
export const urlVariable = 'VENDORCTL_NOTIFY_URL'
export const urlFileVariable = `${urlVariable}_FILE`
export const commandVariable = 'VENDORCTL_NOTIFY_COMMAND'

/** Whom to notify: an address, and a command as words. */
export type Targets = {url?: string | undefined; command?: readonly [string, ...string[]] | undefined}

/** The first message to the watching process, so that it can notify when the command is gone. */
export type Started = {run: Run; targets: Targets; record?: string | undefined}

/** Messages from the command: its own, as printed, and its facts when it ends. */
export type FromCommand = {kind: 'message'; text: string} | {kind: 'facts'; facts: Facts}

export function isFromWatcher(message: unknown): message is {kind: 'started'; started: Started} {
  return isObject(message) && message.kind === 'started'
}

export function isFromCommand(message: unknown): message is FromCommand {
  if (!isObject(message)) return false
  if (message.kind === 'facts') return 'facts' in message
  return message.kind === 'message' && 'text' in message && typeof message.text === 'string'
}

function isObject(message: unknown): message is {kind: unknown} {
  return typeof message === 'object' && message !== null && 'kind' in message
}
