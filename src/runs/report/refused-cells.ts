import {type Layout, placeText, spanPlace} from '../../values/place.js'
import type {RefusedRow} from './report.js'

const longestText = 300

export const refusedHeaders = ['where', 'code', 'pointer', 'message', 'cell']

/** A refusal as cells under these headers. */
export function refusedCells(row: RefusedRow, layout: Layout | undefined): string[] {
  const {file, lines, code, pointer, message, cell} = row
  const place = lines ? spanPlace({file, layout}, lines) : placeText(row)
  const shown = lines ? `${cutText(message)} ${unplaced(pointer)}` : cutText(message)
  return [place, cutText(code), cutText(describePointer(row)), shown, cutText(cell ?? '')]
}

/** `maxChargePrice of Mill Street 4`; as the service has it where the record has no name. */
function describePointer({name, columnName, pointerName, pointer}: RefusedRow): string {
  if (name !== undefined) return columnName === undefined || columnName === 'name' ? name : `${columnName} of ${name}`
  return pointer === undefined ? '' : [pointerName, pointer].filter((part) => part !== undefined).join(' ')
}

/** The service decides how much it says; all of it stands in the envelope. */
export function cutText(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

/** Why a refusal names lines and no row. */
function unplaced(pointer: string | number | undefined): string {
  return pointer === undefined ? '(it names no row of the set)' : '(the pointer matches no row of the set)'
}
