import {toLetters} from '../../values/place.js'
import type {Column} from '../columns.js'
import {escapeText, styles, toTextCell} from './xlsx-cells.js'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const kinds = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const longestSheetName = 31
const widthOfTimes = 24
const widths = {least: 10, most: 40}

/** Everything before the first row of data: the header stays in sight, and times are shown whole. */
export function sheetStart(columns: readonly Column[]): string {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const view = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`
  const cols = columns.map((column, place) => `<col min="${place + 1}" max="${place + 1}" ${toWidth(column)}/>`)
  const cells = columns.map(({name}, place) => `<c r="${toLetters(place)}1"${toTextCell(name, styles.header)}`)
  const shape = `${view}<cols>${cols.join('')}</cols>`
  return `${declaration}<worksheet xmlns="${main}">${shape}<sheetData><row r="1">${cells.join('')}</row>`
}

export const sheetEnd = '</sheetData></worksheet>'

export function sheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`
}

/** The other parts of a workbook of so many sheets, by their path in the file. */
export function workbookParts(name: string, sheets: number): Record<string, string> {
  const numbers = Array.from({length: sheets}, (_, place) => place + 1)
  const sheetOf = (number: number) =>
    `<sheet name="${toSheetName(name, number)}" sheetId="${number}" r:id="r${number}"/>`
  const linkOf = (number: number) => toLink(`r${number}`, 'worksheet', `worksheets/sheet${number}.xml`)
  const typeOf = (number: number) => toType(sheetPath(number), 'worksheet')
  const workbook = `<workbook xmlns="${main}" xmlns:r="${links}"><sheets>${numbers.map(sheetOf).join('')}</sheets></workbook>`
  return {
    'xl/styles.xml': declaration + styleSheet,
    'xl/workbook.xml': declaration + workbook,
    'xl/_rels/workbook.xml.rels': toLinks([...numbers.map(linkOf), toLink('styles', 'styles', 'styles.xml')]),
    '_rels/.rels': toLinks([toLink('workbook', 'officeDocument', 'xl/workbook.xml')]),
    '[Content_Types].xml': toTypes([
      toType('xl/workbook.xml', 'sheet.main'),
      toType('xl/styles.xml', 'styles'),
      ...numbers.map(typeOf),
    ]),
  }
}

const styleSheet = [
  `<styleSheet xmlns="${main}">`,
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts>',
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>',
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>',
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
].join('')

function toSheetName(name: string, number: number): string {
  const suffix = number === 1 ? '' : ` ${number}`
  return escapeText(name.slice(0, longestSheetName - suffix.length)) + suffix
}

function toWidth({name, kind}: Column): string {
  const wanted = Math.min(widths.most, Math.max(widths.least, name.length + 2))
  return `width="${kind === 'dateTime' ? Math.max(widthOfTimes, wanted) : wanted}" customWidth="1"`
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
