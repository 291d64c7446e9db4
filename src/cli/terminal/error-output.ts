import {createProcessState} from '../../core/process-state.js'
import {escapeData} from '../../formats/safe-text.js'

type Guard = (text: string) => string

/** The start of a command to the runner: `::` as the first of a line, or `##[` anywhere. */
const commands = /([\r\n](?:[^\S\r\n]|\u0085)*:):|##\[/g
const unfinished = /(?:[\r\n](?:[^\S\r\n]|\u0085)*:?|##?)$/

/** Guards by stream: a command may begin in one text and end in the next. */
const guardsOf = createProcessState(() => new Map<number, Guard | undefined>())

/**
 * Text as it may go to a stream: in the log of GitHub Actions nothing of it is a command to the runner. A file is data
 * and stays exact; a pipe may be the log, so there `::` and `##[` are broken by an escape that leaves JSON the same value.
 */
export function toLog<Data extends string | Uint8Array>(descriptor: 1 | 2, data: Data): Data | string {
  const guards = guardsOf()
  if (!guards.has(descriptor)) {
    const isLog = isWorkflow() && !isFile(descriptor)
    guards.set(descriptor, isLog ? createLogGuard() : undefined)
  }

  return guards.get(descriptor)?.(typeof data === 'string' ? data : Buffer.from(data).toString()) ?? data
}

/** Whether the runner of GitHub Actions started this process. */
export function isWorkflow(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true'
}

/** A text as the command to the runner that makes a warning of it. */
export function toWarningCommand(text: string): string {
  return `::warning::${escapeData(text)}`
}

function isFile(descriptor: number): boolean {
  try {
    return process.getBuiltinModule('node:fs').fstatSync(descriptor).isFile()
  } catch {
    return false // closed: nobody reads it
  }
}

/** Remembers how the last text ended, because a command may begin in one text and continue in the next. */
export function createLogGuard(): Guard {
  let before = '\n'
  return (text) => {
    const joined = before + text
    const guarded = joined.replace(commands, (_: string, start?: string) =>
      start === undefined ? '##\\u005b' : `${start}\\u003a`,
    )
    const [end = ''] = unfinished.exec(joined) ?? []
    const kept = guarded.slice(before.length)
    before = end.startsWith('#') ? end : end === '' ? '' : `\n${end.endsWith(':') ? ':' : ''}`
    return kept
  }
}

/** State of standard error: its first error, and the function that also gets every message. */
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

/** From now on, hands every message, without colours, also to what watches this process. */
export function copyMessages(to: (text: string) => void): void {
  state().copy = to
}

/** Sends a message to the watching process without printing it. */
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
