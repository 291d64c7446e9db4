import type {Messages} from '../app/messages.js'
import type {ExportFlags} from './export-flags.js'

/** A scheduler mails whatever is printed: when nobody looks on, only what is wrong is said. */
export function toCronMessages(flags: ExportFlags, messages: Messages): Messages {
  if (flags['since-last'] === undefined || process.stderr.isTTY === true || flags.verbose === true) return messages
  const isWarning = (text: unknown) => typeof text === 'string' && text.startsWith('warning: ')
  return {...messages, note: (text) => (isWarning(text) ? messages.note(text) : undefined)}
}
