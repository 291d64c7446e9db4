import type {Started} from './notifier.js'

/** The variable that tells a command which process watches it, over the channel that Node opens for its children. */
export const watchedBy = 'VENDORCTL_WATCHED_BY'

/** From the process that watches, first thing: what the command needs to notify once that process is gone. */
export type FromWatcher = {kind: 'started'; started: Started}

/** From the command: its messages, as they are printed. */
export type FromCommand = {kind: 'message'; text: string}

export function isFromWatcher(message: unknown): message is FromWatcher {
  return isObject(message) && message.kind === 'started'
}

export function isFromCommand(message: unknown): message is FromCommand {
  return isObject(message) && message.kind === 'message' && 'text' in message && typeof message.text === 'string'
}

function isObject(message: unknown): message is {kind: unknown} {
  return typeof message === 'object' && message !== null && 'kind' in message
}
