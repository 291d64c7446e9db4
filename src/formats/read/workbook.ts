import {posix} from 'node:path'
import {thousands} from '../../values/counted.js'
import {inputFailure} from './input-failure.js'
import {type NumberKind, toNumberKinds} from './number-formats.js'
import {TextCollector} from './texts.js'
import type {ZipParts} from './workbook-parts.js'
import {type Attributes, damaged, isTrue, readAllXml} from './workbook-parts.js'

export type SheetPart = {name: string; path: string; isHidden: boolean}

/** What the sheets of a workbook share. */
export type Workbook = {
  file: string
  parts: ZipParts
  /** Sheets with cells, in the order of their tabs. */
  sheets: readonly SheetPart[]
  is1904: boolean
  /** The values of formulas are to be calculated by whoever opens the workbook: those stored prove nothing. */
  isStale: boolean
  texts: readonly string[]
  /** By the style of a cell. */
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

/** The sheets of cells, each of a part of its own: reading one part for each of many names would not end. */
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
  if (root !== 'workbook') throw notSpreadsheet(file)
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
      if (letters > mostLetters) throw damaged(part.file, 'it holds more text than a table of records')
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
  return toNumberKinds(formats, codes)
}

function notSpreadsheet(file: string) {
  return inputFailure('BINARY_FILE', 'an Office document, but not an xlsx workbook', {file}, [
    'Save the table from a spreadsheet as an xlsx workbook, or as "CSV UTF-8".',
  ])
}
