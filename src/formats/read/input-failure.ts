import {exitCodeOf, type inputProblems} from '../../contract/index.js'
import {CliFailure, type ErrorEntry, toHint} from '../../core/errors.js'

export type InputCode = keyof typeof inputProblems

export type Place = {file: string; line?: number; column?: number}

/** The failure for a file that cannot be read, or not on from one line, which its entry then names; nothing was sent. */
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
  return new CliFailure(`${file}: cannot be read on from line ${line}`, {
    code,
    exit: 'invalid',
    hints,
    entries: [entry],
  })
}
