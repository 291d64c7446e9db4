import {thousands} from '../../values/thousands.js'
import {inputFailure} from './input-failure.js'
import {maximumRecordBytes} from './row.js'

/** Throws a `CliFailure` (invalid) once the parts of one record are longer together than a record may be. */
export function refuseHuge(parts: readonly Buffer[], line: number, file: string): void {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length <= maximumRecordBytes) return
  const most = thousands(maximumRecordBytes)
  throw inputFailure('HUGE_RECORD', `the record is longer than ${most} bytes`, {file, line})
}
