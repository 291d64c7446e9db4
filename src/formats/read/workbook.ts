import {posix} from 'node:path'
import {thousands} from '../../values/counted.js'
import {inputFailure} from './input-failure.js'
import {type Attributes, damaged, isTrue, readAllXml, type ZipParts} from './workbook-parts.js'

export type SheetPart = {name: string; path: string; isHidden: boolean}

/** Parts that the sheets of a workbook share. */
export type Workbook = {
  file: string
  parts: ZipParts
  /** Sheets with cells, in the order of their tabs. */
  sheets: readonly SheetPart[]
  is1904: boolean
  /** Formulas must be calculated on opening; their stored values may be out of date. */
  isStale: boolean
  texts: readonly string[]
  /** Meaning of a number by the style of its cell. */
  kinds: readonly NumberKind[]
}

type Link = {id: string; kind: string; path: string}

/** Characters of a number format at most, as spreadsheet programs allow. [pub] */
const longestFormat = 255
const mostSheets = 1_000
/** Most letters of the texts that the cells share, which are kept in memory. */
const mostLetters = 64_000_000

/** Reads all of a workbook but its sheets. Throws a `CliFailure` (invalid) when it cannot be read. */
export async function openWorkbook(file: string, parts: ZipParts): Promise<Workbook> {
  const main = (await readLinks({file, parts}, '')).find(({kind}) => kind === 'officeDocument')
  if (!main) throw damaged(file, 'it names no workbook inside')
  const {listed, is1904, isStale} = await readMain({file, parts}, main.path)
  const links = await readLinks({file, parts}, main.path)
  const find = (kind: string) => links.find((link) => link.kind === kind)?.path
  const sheets = findSheets(file, listed, links)
  const [texts, kinds] = [find('sharedStrings'), find('styles')]
  return {
    ...{file, parts, sheets, is1904, isStale},
    texts: texts !== undefined && parts.has(texts) ? await readTexts({file, parts, path: texts}) : [],
    kinds: kinds !== undefined && parts.has(kinds) ? await readKinds({file, parts, path: kinds}) : [],
  }
}

/** The sheets of cells. Each must have a part of its own: many names of one large part would take too long to read. */
function findSheets(file: string, listed: readonly Listed[], links: readonly Link[]): SheetPart[] {
  if (listed.length > mostSheets) throw damaged(file, `it has more than ${thousands(mostSheets)} sheets`)
  const worksheets = new Map(links.filter(({kind}) => kind === 'worksheet').map(({id, path}) => [id, path]))
  const sheets = listed.flatMap(({id, ...sheet}) => {
    const path = worksheets.get(id)
    return path === undefined ? [] : [{...sheet, path}]
  })
  if (sheets.length === 0) throw damaged(file, 'it has no sheet of cells')
  const paths = new Set(sheets.map(({path}) => path.toLowerCase()))
  if (paths.size < sheets.length) throw damaged(file, 'several of its sheets are the same part')
  return sheets
}

type Place = {file: string; parts: ZipParts}

/** The links of a part to others of the same file; those that lead elsewhere are never followed. */
async function readLinks({file, parts}: Place, of: string): Promise<Link[]> {
  const folder = posix.dirname(of)
  const path = posix.join(folder, '_rels', `${posix.basename(of)}.rels`)
  const links: Link[] = []
  await readAllXml(
    {file, parts, path},
    {
      open(name, {Id: id = '', Type: type = '', Target: target = '', TargetMode: mode}) {
        if (name !== 'Relationship' || mode === 'External') return
        links.push({id, kind: posix.basename(type), path: posix.resolve('/', folder, target).slice(1)})
      },
    },
  )
  return links
}

type Listed = Omit<SheetPart, 'path'> & {id: string}

async function readMain({file, parts}: Place, path: string) {
  const listed: Listed[] = []
  const found = {is1904: false, isStale: false}
  let root: string | undefined
  await readAllXml(
    {file, parts, path},
    {
      open(name, attributes) {
        root ??= name
        if (name === 'workbookPr') found.is1904 = isTrue(attributes['date1904'])
        if (name === 'calcPr') found.isStale = isTrue(attributes['fullCalcOnLoad'])
        if (name === 'sheet') listed.push(toListed(attributes))
      },
    },
  )
  if (root !== 'workbook')
    throw inputFailure('BINARY_FILE', 'an Office document, but not an xlsx workbook', {file}, [
      'Save the table from a spreadsheet as an xlsx workbook, or as "CSV UTF-8".',
    ])
  return {listed, ...found}
}

function toListed(attributes: Attributes): Listed {
  const {name = '', state = 'visible'} = attributes
  const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
  return {id, name, isHidden: state !== 'visible'}
}

async function readTexts(part: Place & {path: string}): Promise<string[]> {
  const texts: string[] = []
  const collector = new TextCollector()
  let letters = 0
  await readAllXml(part, {
    open(name, attributes) {
      if (name === 'si') collector.start()
      else collector.open(name, attributes)
    },
    text: (text) => collector.add(text),
    close(name) {
      if (name !== 'si') return collector.close(name)
      const text = collector.take()
      letters += text.length
      texts.push(text)
      if (letters > mostLetters) throw damaged(part.file, 'it has more text than a table of records')
    },
  })
  return texts
}

async function readKinds(part: Place & {path: string}): Promise<NumberKind[]> {
  const codes = new Map<number, string>()
  const formats: number[] = []
  let isOfCells = false
  await readAllXml(part, {
    open(name, {numFmtId, formatCode = ''}) {
      if (name === 'cellXfs') isOfCells = true
      else if (name === 'numFmt') {
        if (formatCode.length > longestFormat)
          throw damaged(part.file, `it has a number format of more than ${longestFormat} characters`)
        codes.set(Number(numFmtId), formatCode)
      } else if (name === 'xf' && isOfCells) formats.push(Number(numFmtId ?? 0))
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return formats.map((id) => {
    const code = codes.get(id)
    return code === undefined ? (builtIn.get(id) ?? 'number') : kindOfCode(code)
  })
}

const escaped = /_x([\dA-Fa-f]{4})_/g

/** Text of a cell: `_x000D_` is a carriage return, `_x005F_` an underscore. */
export function fromXmlText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(escaped, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Joins the pieces of a rich text; how a text is pronounced (`rPh`) is left out. */
export class TextCollector {
  #whole = ''
  #piece: string | undefined
  #keepsSpaces = false
  #isPhonetic = false

  start(): void {
    this.#whole = ''
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'rPh') this.#isPhonetic = true
    if (name !== 't' || this.#isPhonetic) return
    this.#piece = ''
    this.#keepsSpaces = attributes['xml:space'] === 'preserve'
  }

  add(text: string): void {
    if (this.#piece !== undefined) this.#piece += text
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPhonetic = false
    if (name !== 't' || this.#piece === undefined) return
    this.#whole += fromXmlText(this.#keepsSpaces ? this.#piece : trim(this.#piece))
    this.#piece = undefined
  }

  take(): string {
    return this.#whole
  }
}

/** Spreadsheets drop the blanks around a text unless the file says that they count. */
function trim(text: string): string {
  return text.replace(/^[ \t\n\r]+/, '').replace(/(?<![ \t\n\r])[ \t\n\r]+$/, '')
}

/** The meaning of a number by its format; `000`: a number shown with at least that many digits. */
export type NumberKind = 'number' | 'percent' | 'date' | 'time' | 'dateTime' | 'duration' | `0${string}`

/** The formats that every spreadsheet knows by number; those from 27 on are dates and times of East Asia. */
const builtIn: ReadonlyMap<number, NumberKind> = new Map([
  ...list([9, 10], 'percent'),
  ...list([14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58], 'date'),
  ...list([18, 19, 20, 21, 32, 33, 34, 35, 55, 56], 'time'),
  ...list([22], 'dateTime'),
  ...list([45, 46, 47], 'duration'),
])

function list(ids: readonly number[], kind: NumberKind): [number, NumberKind][] {
  return ids.map((id) => [id, kind])
}

const elapsed = /\[(?:h+|m+|s+)\]/i
/** Texts in quotes, single letters, fillers and widths, and brackets: colours, conditions, languages. */
const decoration = /"[^"]*"?|\\.|[_*].|\[[^[\]]*\]/g

/** The kind of a format such as `yyyy\-mm\-dd hh:mm`; only its part for positive numbers counts. */
function kindOfCode(code: string): NumberKind {
  if (elapsed.test(code)) return 'duration'
  const [shown = ''] = code.replaceAll(decoration, '').split(';')
  if (/general/i.test(shown)) return 'number'
  if (/^0{2,}$/.test(shown)) return `0${shown.slice(1)}`
  if (shown.includes('%')) return 'percent'
  const hasTime = /[hs]/i.test(shown)
  const hasDate = /[ydg]/i.test(shown) || (!hasTime && /m/i.test(shown))
  if (hasDate) return hasTime ? 'dateTime' : 'date'
  return hasTime ? 'time' : 'number'
}
