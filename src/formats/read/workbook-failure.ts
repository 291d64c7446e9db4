import type {CliFailure} from '../../core/errors.js'
import {inputFailure} from './input-failure.js'

const saveAgain = 'Open it in a spreadsheet program, and save it again as an xlsx workbook.'

/** A workbook that cannot be read; `why` stands behind "a workbook that cannot be read:". */
export function damaged(file: string, why: string, hint = saveAgain): CliFailure {
  return inputFailure('DAMAGED_WORKBOOK', `a workbook that cannot be read: ${why}`, {file}, [hint])
}
