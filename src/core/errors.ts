import {type CodeOfExit, type ErrorCode, type FailureCode, usualExitOf} from '../contract/failure-codes.js'
import {type Changed, type ExitName, exitCodeOf} from '../contract/index.js'

export type Retry = 'safe' | 'after-fix' | 'reconcile-first' | 'no'

/** One error as the envelope shows it; the fields that do not apply are left out. */
export type ErrorEntry = {
  code: ErrorCode
  message: string
  exit: number
  file?: string
  /** Name of the sheet of a workbook. */
  sheet?: string
  line?: number
  /** The row as a spreadsheet counts it, or the number of a record in a JSON array, where that is not the line. */
  row?: number
  column?: number
  pointerName?: string
  pointers?: (string | number)[]
  changed: Changed
  retry: Retry
  hint?: string
}

/** Entries of one kind as people are shown them: the first of them, with a message about all, and how many there are. */
export type ErrorGroup = ErrorEntry & {count: number}

/**
 * Machine-readable code: a refusal code of the service, or one of this program in capitals, which alone has a usual exit.
 */
type CodeAndExit = {code: FailureCode; exit?: ExitName} | {code: ErrorCode; exit: ExitName}

export type FailureOptions = CodeAndExit & {
  /** Next steps: sentences or commands, in the order to try them. */
  hints?: string[]
  changed?: Changed
  retry?: Retry
  /** Further entries, such as each problem of a file; the failure itself is the only entry when empty. */
  entries?: ErrorEntry[]
  /** The entries as people are shown them, where that is shorter. */
  groups?: ErrorGroup[]
  /** Lines of the input for people, such as one that is wrong and a caret below it. */
  excerpt?: string[]
  cause?: unknown
}

/** Codes of the system when this process, or all of them together, may open no more files. */
const fileLimits: readonly unknown[] = ['EMFILE', 'ENFILE']
export const raiseFileLimit = 'Let programs open more files, then run again: ulimit -n 1024'

export function isFileLimit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && fileLimits.includes(error.code)
}

/** More files, or connections, than the system lets this process open. */
export function tooManyFiles(cause: unknown): CliFailure {
  return new CliFailure('This program cannot open more files or connections: the limit of the system is reached.', {
    code: 'TOO_MANY_FILES',
    changed: 'unknown',
    hints: [raiseFileLimit],
    cause,
  })
}

/** Known to every copy of this module: a program that imports the library and one that requires it have two. */
const mark = Symbol.for('vendorctl.CliFailure')

/** An expected failure: a message for people, a code for scripts, an exit name for shells, hints for the next step. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure'
  readonly code: ErrorCode
  readonly exit: ExitName
  readonly hints: string[]
  readonly changed: Changed
  readonly retry: Retry
  readonly entries: ErrorEntry[]
  readonly groups: ErrorGroup[]
  readonly excerpt: string[]

  static {
    Object.defineProperty(CliFailure.prototype, mark, {value: true})
    Object.defineProperty(CliFailure, Symbol.hasInstance, {value: isInstance})
  }

  constructor(message: string, options: FailureOptions) {
    super(message, options.cause === undefined ? {} : {cause: options.cause})
    this.code = options.code
    this.exit = options.exit ?? usualExitOf(options.code)
    this.hints = [...(options.hints ?? [])] // others add to them, and failures of a kind may be given the same
    this.changed = options.changed ?? 'none'
    this.retry = options.retry ?? 'after-fix'
    this.entries = options.entries ?? []
    this.groups = options.groups ?? this.entries.map((entry) => ({...entry, count: 1}))
    this.excerpt = options.excerpt ?? []
  }

  get exitCode(): number {
    return exitCodeOf(this.exit).code
  }
}

/** A failure of another copy is one as well; what is of a kind of its own is so by its class alone. */
function isInstance(this: unknown, value: unknown): boolean {
  if (this !== CliFailure) return Function.prototype[Symbol.hasInstance].call(this, value)
  return typeof value === 'object' && value !== null && mark in value
}

/** The entries of a failure for the envelope: its own list, or itself as the only one. */
export function toEntries(failure: CliFailure): ErrorEntry[] {
  if (failure.entries.length > 0) return failure.entries
  const {code, message, exitCode, changed, retry, hints} = failure
  return [{code, message, exit: exitCode, changed, retry, ...(hints.length > 0 && {hint: toHint(hints)})}]
}

/** An entry of a code of this program under its usual exit code; nothing was changed unless `facts` say so. */
export function entryOf(code: FailureCode, message: string, facts: Partial<ErrorEntry> = {}): ErrorEntry {
  return {code, message, exit: exitCodeOf(usualExitOf(code)).code, changed: 'none', retry: 'after-fix', ...facts}
}

/** The entry of an exit code of which no more is known. */
export function entryOfExit(exit: Exclude<ExitName, 'ok'>): ErrorEntry {
  const {code, about, hint} = exitCodeOf(exit)
  const isHarmless = exit === 'changes' || exit === 'empty'
  const kind = isHarmless ? ({changed: 'none', retry: 'safe'} as const) : ({changed: 'unknown', retry: 'no'} as const)
  const name = exit.replace(/[A-Z]/g, '_$&').toUpperCase() as CodeOfExit<ExitName> // `inDoubt` is `IN_DOUBT`
  return {code: name, message: about, exit: code, ...kind, hint}
}

/** One line for each entry; a line end within an entry comes from foreign data and is escaped. */
export function toHint(hints: readonly string[]): string {
  return hints.map((hint) => hint.replace(/[\r\n]+/g, '\\n')).join('\n')
}

/** A failure without entries in other words. */
export function reworded({code, exit, hints, retry, cause}: CliFailure, message: string): CliFailure {
  return new CliFailure(message, {code, exit, hints, retry, cause})
}

/** A failure of what was given on the command line or in a variable. */
export function usage(message: string, ...hints: string[]): CliFailure {
  return new CliFailure(message, {code: 'USAGE', hints})
}

/** The code of an error of the system or of a library, where it is a plain word. */
export function plainCodeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[\w-]{1,60}$/.test(code) ? code : undefined
}

const tlsCodes: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'HOSTNAME_MISMATCH',
  'EPROTO',
])

/** Whether the code of an error says that the other end did not prove who it is. */
export function isTlsCode(code: string): boolean {
  return tlsCodes.has(code) || /^(ERR_TLS|ERR_SSL|CERT_|CRL_)/.test(code)
}
