import {type CellText, toIsoText, toMomentText, toNumberText, toPaddedText} from './number-text.js'
import {isTrue} from './read-xml.js'
import {fromXmlText, type TextCollector} from './texts.js'
import type {Workbook} from './workbook.js'

/** A cell as the sheet holds it; `type` says what its value is. */
export type StoredCell = {
  /** Column, from 0. */
  place: number
  type: string
  style: number
  value: string | undefined
  isFormula: boolean
}

const notCalculated = 'a formula without a calculated value; open the workbook in a spreadsheet program, and save it'

/** What a cell shows, or why that cannot be known; undefined for an empty cell. */
export function readCellText(
  {type, style, value, isFormula}: StoredCell,
  inline: TextCollector,
  {texts, kinds, is1904, isStale}: Workbook,
): CellText | undefined {
  if (type === 'e') return {why: `an error of the spreadsheet: ${value ?? ''}`}
  if (isFormula && (isStale || (type !== 'str' && !value))) return {why: notCalculated}
  if (type === 'inlineStr') return toText(inline.take())
  if (type === 'str') return toText(fromXmlText(value ?? ''))
  if (!value) return undefined
  if (type === 's') return toSharedText(texts[Number(value)])
  if (type === 'b') return {text: isTrue(value) ? 'true' : 'false'}
  const kind = kinds[style] ?? 'number'
  if (type === 'd') return toIsoText(value, kind)
  if (kind === 'number') return toNumberText(value)
  return kind.startsWith('0') ? toPaddedText(value, kind) : toMomentText(value, kind, {is1904})
}

function toSharedText(text: string | undefined): CellText | undefined {
  return text === undefined ? {why: 'a text that the workbook does not hold'} : toText(text)
}

function toText(text: string): CellText | undefined {
  return text === '' ? undefined : {text}
}
