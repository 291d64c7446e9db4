import {toLog} from './workflow-log.js'

let failure: NodeJS.ErrnoException | undefined

/**
 * From now on a reader of standard error that left, a terminal that is gone or a full disk under it ends no work: rows
 * must not stay in doubt because nobody listens.
 */
export function workUnheard(): void {
  process.stderr.on('error', () => {})
}

/** Prints on standard error. */
export function say(text: string): void {
  write(toLog(2, text))
}

/** Prints a command to the runner of a workflow, whose data were escaped before; none of the older form is in it. */
export function sayCommand(text: string): void {
  write(`${text.replaceAll('##[', '##\\u005b')}\n`)
}

function write(text: string): void {
  process.stderr.write(text, (error) => {
    failure ??= error ?? undefined
  })
}

/** Waits until all that was said is taken; why it was not, if it was not. A pipe takes long messages in parts. */
export async function whyUnheard(): Promise<NodeJS.ErrnoException | undefined> {
  await new Promise<void>((resolve) => process.stderr.write('', () => resolve()))
  return failure
}
