import {createProcessState} from '../../core/process-state.js'
import {toLog} from './workflow-log.js'

/** Standard error is one for all that print there: its first error, and what else is sent every message. */
const state = createProcessState(() => ({
  failure: undefined as NodeJS.ErrnoException | undefined,
  copy: (_text: string): void => undefined,
}))

/**
 * Lets the process survive errors of standard error: a reader that left, a closed terminal or a full disk must not leave
 * rows in doubt.
 */
export function ignoreErrorsOfStderr(): void {
  process.stderr.on('error', () => {})
}

/** Also hands every message, free of colours, to what watches this process. */
export function copyMessages(to: (text: string) => void): void {
  state().copy = to
}

/** A message that is not printed: only what watches this process is sent it. */
export function sayToWatcher(text: string): void {
  state().copy(text)
}

/** Prints on standard error; `plain` is the same before it was folded for a terminal. */
export function say(text: string, plain = text): void {
  write(toLog(2, text))
  state().copy(plain)
}

/**
 * Prints a command for the runner of a workflow; its data are escaped already, and commands of the older form here.
 * `plain` is what it means as a message.
 */
export function sayCommand(text: string, plain = ''): void {
  write(`${text.replaceAll('##[', '##\\u005b')}\n`)
  state().copy(plain)
}

function write(text: string): void {
  process.stderr.write(text, (error) => {
    state().failure ??= error ?? undefined
  })
}

/** Waits until all messages are written, and returns the error of the first that was not. */
export async function findStderrError(): Promise<NodeJS.ErrnoException | undefined> {
  await new Promise<void>((resolve) => process.stderr.write('', () => resolve()))
  return state().failure
}
