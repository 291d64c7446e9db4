import type {Field} from '../contract/index.js'
import {zero} from '../values/byte-codes.js'
import type {Bounds} from './hints.js'
import {mayBeDamaged} from './spreadsheet-damage.js'

const safeDigits = 15

/**
 * The value of a cell that is written in the plainest way, as almost all are; undefined for every other cell, which
 * then needs a closer look. This is the short way of `readCell`: it may refuse to answer, but never answers otherwise.
 */
export function readPlainCell(cell: string, field: Field): string | number | boolean | undefined {
  switch (field.kind) {
    case 'integer':
      return readShortInteger(cell, field)
    case 'boolean':
      return cell === 'true' ? true : cell === 'false' ? false : undefined
    case 'choice':
      return field.of?.find((word) => word === cell)
    case 'text':
      return field.zone === undefined && isPlainText(cell, field.maxLength) ? cell : undefined
    default:
      return undefined
  }
}

/** Digits without a sign and without leading zeros, few enough for a JavaScript number. */
function readShortInteger(cell: string, {min, above, except}: Bounds): number | undefined {
  const {length} = cell
  if (length === 0 || length > safeDigits || (length > 1 && cell.charCodeAt(0) === zero)) return undefined
  let value = 0
  for (let at = 0; at < length; at++) {
    const digit = cell.charCodeAt(at) - zero
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }

  if ((min !== undefined && value < min) || (above !== undefined && value <= above)) return undefined
  return except?.includes(value) ? undefined : value
}

function isPlainText(cell: string, maxLength: number | undefined): boolean {
  if (cell === '' || cell.startsWith('\\')) return false
  return (maxLength === undefined || cell.length <= maxLength) && !mayBeDamaged(cell)
}
