import type {ErrorCode} from '../contract/failure-codes.js'
import {CliFailure, isFileLimit, raiseFileLimit} from './errors.js'

const elsewhere = 'Set XDG_STATE_HOME to a folder on a disk of this machine that can be written.'

/** An error of the system or of SQLite as a `CliFailure`, which is passed on as it is. `wayOut`: the hints for damage. */
export function stateFailure(error: unknown, what: string, path: string, wayOut?: readonly string[]): CliFailure {
  if (error instanceof CliFailure) return error
  const {why, code, ...explained} = explain(error as SystemError)
  const hints = wayOut && /^STATE_(DAMAGED|FOLDER)$/.test(code) ? [...wayOut] : explained.hints
  return new CliFailure(`${what} ${why}: ${path}`, {
    code,
    exit: code === 'STATE_BUSY' ? 'locked' : 'storage',
    hints,
    cause: error,
  })
}

type Explained = {why: string; code: ErrorCode; hints: string[]}

type SystemError = NodeJS.ErrnoException & {errcode?: number}

const full = 13
const outside: ReadonlySet<number> = new Set([5, 8, 10, full, 14])

/** The primary result codes of SQLite. [pub] */
const sqliteCodes: Record<number, Explained> = {
  5: {why: 'is locked by another process', code: 'STATE_BUSY', hints: ['Try again when the other run has ended.']},
  8: {why: 'cannot be written', code: 'STATE_UNWRITABLE', hints: [elsewhere]},
  10: {why: 'cannot be read or written (input/output error)', code: 'STATE_IO', hints: ['Check the disk.', elsewhere]},
  11: {why: 'is damaged', code: 'STATE_DAMAGED', hints: ['Move the file away; it is not changed.']},
  13: {why: 'does not fit on the disk, which is full', code: 'STATE_FULL', hints: ['Make room.', elsewhere]},
  14: {why: 'cannot be opened', code: 'STATE_UNWRITABLE', hints: [elsewhere]},
  26: {
    why: 'is not a state file of vendorctl',
    code: 'STATE_DAMAGED',
    hints: ['Move the file away; it is not changed.'],
  },
}

function explain(error: SystemError): Explained {
  const {code, errcode, message} = error
  if (code === 'EISDIR') return {why: 'is a folder', code: 'STATE_FOLDER', hints: ['Move the folder away.']}
  const known = code === 'ENOSPC' ? sqliteCodes[full] : sqliteCodes[(errcode ?? 0) & 0xff]
  if (known) return known
  if (isFileLimit(error)) return {why: `cannot be opened (${code})`, code: 'TOO_MANY_FILES', hints: [raiseFileLimit]}
  const why = `cannot be written (${code === undefined || code === 'ERR_SQLITE_ERROR' ? message : code})`
  return {why, code: 'STATE_UNWRITABLE', hints: [elsewhere]}
}

/** Whether a failure is one of the disk or of another process, and says nothing of what a file contains. */
export function isOutside(error: unknown): boolean {
  const {code, errcode, errno} = ((error instanceof CliFailure ? error.cause : error) ?? {}) as SystemError
  return code === 'ERR_SQLITE_ERROR' ? outside.has((errcode ?? 0) & 0xff) : errno !== undefined
}

export function damaged(what: string, path: string, hints: string[] = [], cause?: unknown): CliFailure {
  return new CliFailure(`${what} is damaged; it is not touched: ${path}`, {
    code: 'STATE_DAMAGED',
    hints: hints.map((command) => `What can still be read of it: ${command}`),
    cause,
  })
}

/** `version`: that of vendorctl that wrote it, where it is known. */
export function stateNewer(what: string, path: string, version?: string): CliFailure {
  const by = version === undefined ? 'a later version of vendorctl' : `vendorctl ${version}, a later version`
  return new CliFailure(`${what} was written by ${by}; it is not touched: ${path}`, {
    code: 'STATE_NEWER',
    hints: [
      version === undefined ? 'Use the version that wrote it, or a later one.' : `Use vendorctl ${version} or later.`,
    ],
  })
}

export function stateOnNetwork(what: string, path: string): CliFailure {
  return new CliFailure(`${what} would lie on a network file system, where it could be lost: ${path}`, {
    code: 'STATE_ON_NETWORK',
    hints: [elsewhere],
  })
}
