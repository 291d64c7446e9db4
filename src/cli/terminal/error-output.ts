import {toLog} from './workflow-log.js'

/** Of the process: standard error is one for all that print there. */
let failure: NodeJS.ErrnoException | undefined

/**
 * Lets the process survive errors of standard error: a reader that left, a closed terminal or a full disk must not leave
 * rows in doubt.
 */
export function ignoreErrorsOfStderr(): void {
  process.stderr.on('error', () => {})
}

/** Prints on standard error. */
export function say(text: string): void {
  write(toLog(2, text))
}

/** Prints a command for the runner of a workflow; its data are escaped already, and commands of the older form here. */
export function sayCommand(text: string): void {
  write(`${text.replaceAll('##[', '##\\u005b')}\n`)
}

function write(text: string): void {
  process.stderr.write(text, (error) => {
    failure ??= error ?? undefined
  })
}

/** Waits until all messages are written, and returns the error of the first that was not. */
export async function findStderrError(): Promise<NodeJS.ErrnoException | undefined> {
  await new Promise<void>((resolve) => process.stderr.write('', () => resolve()))
  return failure
}
