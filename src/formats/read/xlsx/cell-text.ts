import {type CellText, toIsoText, toMomentText, toNumberText, toPaddedText, toPercentText} from './number-text.js'
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

const saveAgain = 'open the workbook in a spreadsheet program, and save it'
const notCalculated = `a formula without a calculated value; ${saveAgain}`
const outdated =
  'a formula that the workbook demands to calculate again; open it in a spreadsheet program, calculate it (in LibreOffice: Ctrl+Shift+F9), and save it'

/** What a cell shows, or why that cannot be known; undefined for an empty cell. */
export function readCellText(
  {type, style, value, isFormula}: StoredCell,
  inline: TextCollector,
  {texts, kinds, is1904, isStale}: Workbook,
): CellText | undefined {
  if (type === 'e') return {why: `an error of the spreadsheet: ${value ?? ''}`}
  if (isFormula && type !== 'str' && !value) return {why: notCalculated}
  if (isFormula && isStale) return {why: outdated}
  if (type === 'inlineStr') return toText(inline.take())
  if (type === 'str') return toText(fromXmlText(value ?? ''))
  if (!value) return undefined
  if (type === 's') return toSharedText(texts[Number(value)])
  if (type === 'b') return {text: isTrue(value) ? 'true' : 'false'}
  const kind = kinds[style] ?? 'number'
  if (type === 'd') return toIsoText(value, kind)
  if (kind === 'number') return toNumberText(value)
  if (kind === 'percent') return toPercentText(value)
  return kind.startsWith('0') ? toPaddedText(value, kind) : toMomentText(value, kind, {is1904})
}

function toSharedText(text: string | undefined): CellText | undefined {
  return text === undefined ? {why: 'a text that is missing in the workbook'} : toText(text)
}

function toText(text: string): CellText | undefined {
  return text === '' ? undefined : {text}
}
