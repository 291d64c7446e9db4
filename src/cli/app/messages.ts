import {styleText} from 'node:util'
import type {FailureCode} from '../../contract/failure-codes.js'
import type {ExitName} from '../../contract/index.js'
import type {CliFailure, ErrorEntry} from '../../core/errors.js'
import {redact} from '../../core/redact.js'
import {toSafeText} from '../../formats/safe-text.js'
import {thousands} from '../../values/counted.js'
import {placeText} from '../../values/place.js'
import {hasColor} from '../help/terminal-look.js'
import {isWorkflow, say, sayCommand, sayToWatcher, toWarningCommand} from '../terminal/error-output.js'
import {foldFor} from '../terminal/fold-text.js'

/** One line, in which a line end comes from foreign data and is shown as `\n`; or text that is safe already. */
export type Line = string | {readonly safe: string}

/** Everything for people: on standard error, without secrets, without control characters of foreign data. */
export type Messages = {
  /** Always shown: failures, refusals, what was changed. */
  tell(text: Line | readonly Line[]): void
  /** Shown unless `--quiet`: notices, resolved ranges, summaries. */
  note(text: Line | readonly Line[]): void
  /** Shown with `--verbose`. */
  detail(text: Line | readonly Line[]): void
}

export function createMessages({quiet, verbose}: {quiet: boolean; verbose: boolean}): Messages {
  const print = (text: Line | readonly Line[]) => {
    const lines = [text].flat().filter((line) => !sayWarning(line))
    const shown = toText(lines)
    if (lines.length > 0) say(`${foldFor(process.stderr, shown)}\n`, `${shown}\n`)
  }

  return {
    tell: print,
    note: (text) => (quiet ? undefined : print(text)),
    detail: (text) => (verbose ? print(text) : undefined),
  }
}

/** Shows a note; one that begins with `warning: ` is a warning in the envelope, too. */
export function notice(text: string, to: {messages: Messages; caution: (text: string) => void}): void {
  if (text.startsWith('warning: ')) to.caution(text.slice('warning: '.length))
  else to.messages.note(text)
}

/** Whether a scheduler mails what this process prints: a job, or a read from a mark on, without a terminal. */
export function isMailed(name: string | undefined, verbose = false): boolean {
  return Boolean(name) && process.stderr.isTTY !== true && !verbose
}

/** The messages of a job: where a scheduler mails them, only warnings among the notes are shown; a watcher gets all. */
export function forScheduler(name: string | undefined, verbose: boolean | undefined, messages: Messages): Messages {
  if (!isMailed(name, verbose)) return messages
  const isWarning = (text: unknown) => typeof text === 'string' && text.startsWith('warning: ')
  return {
    ...messages,
    note: (text) => (isWarning(text) ? messages.note(text) : sayToWatcher(`${toText([text].flat())}\n`)),
  }
}

/** Shows a warning as an annotation where the runner of a workflow makes one of it, and not a second time as text. */
function sayWarning(line: Line): boolean {
  const [, warning] = (isWorkflow() && typeof line === 'string' && /^warning: (.*)/s.exec(line)) || []
  if (warning !== undefined) sayCommand(toWarningCommand(toText([warning])), `${toText([line])}\n`)
  return warning !== undefined
}

/** A problem and what to do about it, under the name of its exit code. */
export function toLines(exit: ExitName, {message, hint}: Pick<ErrorEntry, 'message' | 'hint'>): string[] {
  return [`${exit}: ${message}`, ...(hint?.split('\n') ?? []).map((step) => `→ ${step}`)]
}

/** Lines as a terminal may show them, without secrets. */
export function toText(lines: readonly Line[]): string {
  return redact(lines.map((line) => (typeof line === 'string' ? toSafeText(line) : line.safe)).join('\n'))
}

type Style = Parameters<typeof styleText>[0]

const groupsShown = 50

/** Endings before anything was sent. */
const harmlessExits: ReadonlySet<string> = new Set(['usage', 'invalid', 'empty'] satisfies ExitName[])

/** Failures whose messages say that nothing was sent. */
const saysUnsent: ReadonlySet<string> = new Set<FailureCode>([
  ...(['EARLIER_UNREADABLE', 'NOT_APPROVED', 'PLAN_APPLIED', 'PLAN_OUTDATED', 'RECORD_CHANGED'] as const),
  ...(['RUN_EXPORTED', 'SENT_MEANWHILE', 'UNDO_CONFLICT'] as const),
])

const changedWords = {
  none: 'Nothing was changed.',
  some: 'Some records were changed.',
  unknown: 'It is not known whether records were changed.',
} as const

/**
 * A failure for people: what failed, each problem, what was changed, what to do next. That nothing was changed is shown
 * only for a write that could have changed something, which no usage error and no refused input can, and once.
 */
export function renderFailure(failure: CliFailure, stream: NodeJS.WriteStream, isWrite = false): Line {
  const {message, groups, hints, changed, excerpt} = failure
  const isPlain = !hasColor(stream, process.env)
  const paint = (style: Style, text: string) => (isPlain ? text : styleText(style, text, {validateStream: false}))
  const head = `${paint(['red', 'bold'], 'error')}: ${toSafeText(message)}`
  const quoted = excerpt.map((line) => `  ${toSafeText(line)}`)
  const shown = groups.slice(0, groupsShown).map((entry) => `  ${renderEntry(entry)}`)
  const rest = groups.slice(groupsShown).reduce((sum, {count}) => sum + count, 0)
  const more = rest > 0 ? [`  … and ${thousands(rest)} more (all of them with --json)`] : []
  const steps = hints.map((hint) => `${paint('cyan', '→')} ${toSafeText(hint)}`)
  const isClear = !isWrite || harmlessExits.has(failure.exit) || saysUnsent.has(failure.code)
  const isHarmless = changed === 'none' && isClear
  return {
    safe: [head, ...quoted, ...shown, ...more, ...(isHarmless ? [] : [changedWords[changed]]), ...steps].join('\n'),
  }
}

/** `sites.csv:14:3 error maxChargePrice: not an integer: "5,00"` */
function renderEntry({message, code, ...entry}: ErrorEntry): string {
  const place = placeText(entry)
  return toSafeText([place, place ? 'error' : code, message].filter(Boolean).join(' '))
}
