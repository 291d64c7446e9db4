import {buffer} from 'node:stream/consumers'
import {ZipFile} from 'yazl'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006/relationships'

export type MadeSheet = {
  name?: string
  state?: string
  /** What stands in `sheetData`. */
  rows?: string
  /** What stands before it and behind it. */
  before?: string
  after?: string
}

export type MadeWorkbook = {
  sheets: readonly MadeSheet[]
  /** Elements of the workbook before its sheets. */
  settings?: string
  /** What stands in `sst`. */
  texts?: string
  /** What stands in `styleSheet`. */
  styles?: string
  /** Parts that are added, or written instead of these. */
  parts?: Readonly<Record<string, string | Buffer>>
}

/** A workbook of literal XML: what spreadsheets write, and what they never would. */
export function makeWorkbook({sheets, settings = '', texts, styles, parts = {}}: MadeWorkbook): Promise<Buffer> {
  const tabs = sheets.map(({name = `Sheet${1}`, state}, place) => {
    return `<sheet name="${name}" sheetId="${place + 1}"${state ? ` state="${state}"` : ''} r:id="s${place}"/>`
  })
  const linked = sheets.map((_, place) => link(`s${place}`, 'worksheet', `worksheets/sheet${place}.xml`))
  const all: Record<string, string | Buffer> = {
    '_rels/.rels': relations([link('w', 'officeDocument', 'xl/workbook.xml')]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${links}">${settings}<sheets>${tabs.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...linked,
      ...(texts === undefined ? [] : [link('t', 'sharedStrings', 'sharedStrings.xml')]),
      ...(styles === undefined ? [] : [link('y', 'styles', 'styles.xml')]),
    ]),
    ...(texts !== undefined && {'xl/sharedStrings.xml': `<sst xmlns="${main}">${texts}</sst>`}),
    ...(styles !== undefined && {'xl/styles.xml': `<styleSheet xmlns="${main}">${styles}</styleSheet>`}),
  }
  for (const [place, {rows = '', before = '', after = ''}] of sheets.entries()) {
    all[`xl/worksheets/sheet${place}.xml`] =
      `<worksheet xmlns="${main}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`
  }

  return makeZip({...all, ...parts})
}

/** The same bytes of the same parts, whenever they are made. */
export function makeZip(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), path, {mtime})
  zip.end()
  return buffer(zip.outputStream)
}

const mtime = new Date(Date.UTC(2024, 0, 1))

export function link(id: string, kind: string, target: string, mode = ''): string {
  return `<Relationship Id="${id}" Type="${links}/${kind}" Target="${target}"${mode}/>`
}

export function relations(all: readonly string[]): string {
  return `<Relationships xmlns="${packaged}">${all.join('')}</Relationships>`
}

/** A cell with a text of its own. */
export function text(address: string, value: string): string {
  return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`
}

/** A cell with a number, in a style. */
export function number(address: string, value: string | number, style = 0): string {
  return `<c r="${address}" s="${style}"><v>${value}</v></c>`
}

export function row(number: number, cells: readonly string[], attributes = ''): string {
  return `<row r="${number}"${attributes}>${cells.join('')}</row>`
}

/** Styles with these formats, in the order in which cells name them; the first is the plain one. */
export function formats(...codes: readonly string[]): string {
  const named = codes.map((code, place) => `<numFmt numFmtId="${200 + place}" formatCode="${code}"/>`)
  const used = codes.map((_, place) => `<xf numFmtId="${200 + place}"/>`)
  return `<numFmts>${named.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${used.join('')}</cellXfs>`
}
