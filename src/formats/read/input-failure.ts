import {exitCodeOf, type inputProblems} from '../../contract/index.js'
import {CliFailure, type ErrorEntry, toHint} from '../../core/errors.js'
import {thousands} from '../../values/counted.js'
import {lineText} from '../../values/place.js'
import {maximumRecordBytes} from './row.js'

export type InputCode = keyof typeof inputProblems

export type Place = {file: string; sheet?: string; line?: number; column?: number}

/** The failure for a file that cannot be read at all, or only up to a line, which its entry names; nothing was sent. */
export function inputFailure(code: InputCode, message: string, place: Place, hints: string[] = []): CliFailure {
  const entry: ErrorEntry = {
    code,
    message,
    exit: exitCodeOf('invalid').code,
    ...place,
    changed: 'none',
    retry: 'after-fix',
    ...(hints.length > 0 && {hint: toHint(hints)}),
  }

  const {file, line} = place
  if (line === undefined) return new CliFailure(`${file}: ${message}`, {code, exit: 'invalid', hints})
  return new CliFailure(`${file}: cannot be read from ${lineText(place)} on`, {
    code,
    exit: 'invalid',
    hints,
    entries: [entry],
  })
}

/** Throws a `CliFailure` (invalid) once the parts of one record are longer together than a record may be. */
export function refuseHuge(parts: readonly Buffer[], line: number, file: string): void {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length <= maximumRecordBytes) return
  const most = thousands(maximumRecordBytes)
  throw inputFailure('HUGE_RECORD', `the record is longer than ${most} bytes`, {file, line})
}
