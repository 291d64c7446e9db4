import {widthOf} from '../../../core/text-width.js'
import {toLetters} from '../../../values/place.js'
import {escapeText, type Mark, type styles} from './xlsx-cells.js'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const kinds = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const longestSheetName = 31
const widths = {least: 8, most: 60}
/** Widths in letters of the padding of a cell, and of the filter button in the header. */
const margins = {cell: 2, header: 5}
/** Letters of a cell that are looked at for its width. */
const maximumMeasured = 1_000
/** Rows whose content decides how wide the columns are. */
export const measuredRows = 1_000

/** A column of a sheet: its printed header, its width in letters, and the style of what is typed into it. */
export type SheetColumn = {header: string; width: number; style: number}

/** XML before the first row of data; the frozen header stays visible. */
export function sheetStart(columns: readonly SheetColumn[]): string {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const view = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`
  const cols = columns.map(
    ({width, style}, place) =>
      `<col min="${place + 1}" max="${place + 1}" width="${width}" style="${style}" customWidth="1"/>`,
  )
  const cells = columns.map(({header}, place) => `<c r="${toLetters(place)}1"${header}`)
  const shape = `${view}<cols>${cols.join('')}</cols>`
  return `${declaration}<worksheet xmlns="${main}">${shape}<sheetData><row r="1">${cells.join('')}</row>`
}

/** XML after the last row: a filter over all rows, and no warnings about digits stored as text. */
export function sheetEnd(columns: number, rows: number): string {
  const range = `A1:${toLetters(columns - 1)}${rows}`
  const ignored = `<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors>`
  return `</sheetData><autoFilter ref="${range}"/>${ignored}</worksheet>`
}

/** The width of a column, by its name and the texts of its first cells. */
export function toWidth(name: string, texts: readonly string[]): number {
  const content = texts.reduce((most, text) => Math.max(most, widthOfLines(text)), 0)
  const wanted = Math.max(widthOfLines(name) + margins.header, content + margins.cell)
  return Math.min(widths.most, Math.max(widths.least, wanted))
}

function widthOfLines(text: string): number {
  const lines = text.slice(0, maximumMeasured).split('\n')
  return Math.max(...lines.map(widthOf))
}

export function sheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`
}

/** The other parts of a workbook, by their path in the file; `rows` are those of each sheet. */
export function workbookParts(name: string, columns: number, rows: readonly number[]): Record<string, string> {
  const names = rows.map((_, place) => toSheetName(name, place + 1))
  const sheets = names.map((sheet, place) => {
    const escaped = escapeText(sheet).replaceAll('"', '&quot;')
    return `<sheet name="${escaped}" sheetId="${place + 1}" r:id="r${place + 1}"/>`
  })
  const filters = names.map((sheet, place) => {
    const range = `'${escapeText(sheet).replaceAll("'", "''")}'!$A$1:$${toLetters(columns - 1)}$${rows[place]}`
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${place}" hidden="1">${range}</definedName>`
  })
  const content = `<sheets>${sheets.join('')}</sheets><definedNames>${filters.join('')}</definedNames>`
  const sheetLinks = names.map((_, place) => toLink(`r${place + 1}`, 'worksheet', `worksheets/sheet${place + 1}.xml`))
  return {
    'xl/styles.xml': declaration + styleSheet,
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${links}">${content}</workbook>`,
    'xl/_rels/workbook.xml.rels': toLinks([...sheetLinks, toLink('styles', 'styles', 'styles.xml')]),
    '_rels/.rels': toLinks([toLink('workbook', 'officeDocument', 'xl/workbook.xml')]),
    '[Content_Types].xml': toTypes([
      toType('xl/workbook.xml', 'sheet.main'),
      toType('xl/styles.xml', 'styles'),
      ...names.map((_, place) => toType(sheetPath(place + 1), 'worksheet')),
    ]),
  }
}

const formats = {general: 0, whole: 1, text: 49, time: 164, fineTime: 165, date: 166}

const looks: Record<keyof typeof styles, {format: number; font?: number; wraps?: boolean}> = {
  plain: {format: formats.general},
  text: {format: formats.text},
  whole: {format: formats.whole},
  time: {format: formats.time},
  fineTime: {format: formats.fineTime},
  date: {format: formats.date},
  header: {format: formats.text, font: 1},
  note: {format: formats.text, wraps: true},
}

/** Fills by their place: two that every workbook has, then those of marks, which are the usual ones for bad and neutral. */
const fills = ['none', 'gray125'].map((pattern) => `<fill><patternFill patternType="${pattern}"/></fill>`)
const colours: Record<Mark, string | undefined> = {none: undefined, error: 'FFFFC7CE', warning: 'FFFFEB9C'}
const cellLooks = Object.values(colours).flatMap((colour) => {
  const fill = colour === undefined ? 0 : fills.push(toFill(colour)) - 1
  return Object.values(looks).map((look) => toLook(look, fill))
})

function toFill(colour: string): string {
  return `<fill><patternFill patternType="solid"><fgColor rgb="${colour}"/></patternFill></fill>`
}

function toLook({format, font = 0, wraps = false}: (typeof looks)['plain'], fill: number): string {
  const applied = 'applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1"'
  const alignment = wraps ? '<alignment vertical="top" wrapText="1"/>' : ''
  return `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" ${applied}>${alignment}</xf>`
}

const styleSheet = [
  `<styleSheet xmlns="${main}"><numFmts count="3">`,
  `<numFmt numFmtId="${formats.time}" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>`,
  `<numFmt numFmtId="${formats.fineTime}" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/>`,
  `<numFmt numFmtId="${formats.date}" formatCode="yyyy\\-mm\\-dd"/></numFmts>`,
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>',
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  `<fills count="${fills.length}">${fills.join('')}</fills>`,
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${cellLooks.length}">${cellLooks.join('')}</cellXfs>`,
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
].join('')

/** Letters that the name of a sheet may not contain. */
const notInName = /[[\]:*?/\\]|^'|'$/g

function toSheetName(name: string, number: number): string {
  const suffix = number === 1 ? '' : ` ${number}`
  return name.replaceAll(notInName, '_').slice(0, longestSheetName - suffix.length) + suffix
}

function toLink(id: string, kind: string, target: string): string {
  return `<Relationship Id="${id}" Type="${links}/${kind}" Target="${target}"/>`
}

function toLinks(all: readonly string[]): string {
  return `${declaration}<Relationships xmlns="${packaged}/relationships">${all.join('')}</Relationships>`
}

function toType(path: string, kind: string): string {
  return `<Override PartName="/${path}" ContentType="${kinds}.${kind}+xml"/>`
}

function toTypes(all: readonly string[]): string {
  const relations = 'application/vnd.openxmlformats-package.relationships+xml'
  const usual = `<Default Extension="rels" ContentType="${relations}"/><Default Extension="xml" ContentType="application/xml"/>`
  return `${declaration}<Types xmlns="${packaged}/content-types">${usual}${all.join('')}</Types>`
}
