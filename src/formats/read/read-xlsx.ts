import {listed, thousands} from '../../values/counted.js'
import {stretches, toLetters} from '../../values/place.js'
import {type Chosen, chooseSheet, type SheetWish} from './choose-sheet.js'
import {inputFailure} from './input-failure.js'
import type {CellsRow, RowFile} from './row.js'
import {type Hidden, readSheet} from './sheet-rows.js'
import {openWorkbook, type SheetPart, type Workbook} from './workbook.js'
import {damaged, openZip, readAllXml, type ZipParts} from './workbook-parts.js'

/** The list of the parts of a workbook is at its end, so all of it is in memory while it is read. */
const longestWorkbook = 67_108_864
const shownPlaces = 10
/** Values of one row in columns without a name. */
const mostUnnamed = 100

/** The table of one sheet of a workbook. Throws a `CliFailure` (invalid) when there is none to read. */
export async function readXlsx(
  file: string,
  seen: AsyncIterable<Buffer>,
  wish: SheetWish,
  known: readonly string[],
): Promise<RowFile> {
  const bytes = await collect(file, seen)
  refuseOtherFiles(file, bytes)
  const parts = await openZip(file, bytes)
  refuseOtherFiles(file, bytes, parts)
  const workbook = await openWorkbook(file, parts)
  const chosen = await chooseSheet(workbook, wish)
  const {sheet, header} = chosen
  if (!header) {
    const row = wish.headerRow === undefined ? 'its first row' : `row ${wish.headerRow}`
    throw inputFailure('EMPTY_FILE', `empty: ${row} must name the columns`, {file: `${file}!${sheet.name}`})
  }

  const merged = await findMergedCells(workbook, sheet, header.line + 1)
  const inTable = merged.filter(({firstPlace}) => firstPlace < header.cells.length)
  const notices = [...known, ...describe(workbook, chosen, inTable)]
  return {
    ...{
      name: file,
      format: 'xlsx',
      header: {line: header.line, cells: header.cells},
      sheet: sheet.name,
      headerRow: header.line,
      hasMark: true,
    },
    notices,
    rows: readRows(workbook, {sheet, header}, merged, notices),
  }
}

async function collect(file: string, seen: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of seen) {
    chunks.push(chunk)
    length += chunk.length
    if (length > longestWorkbook)
      throw damaged(file, `it is longer than ${thousands(longestWorkbook)} bytes`, 'Save its table as "CSV UTF-8".')
  }

  return Buffer.concat(chunks)
}

async function* readRows(
  workbook: Workbook,
  {sheet, header}: {sheet: Chosen['sheet']; header: CellsRow},
  merged: readonly Range[],
  notices: string[],
): AsyncGenerator<CellsRow[], void, void> {
  const hidden: Hidden = {rows: [], columns: []}
  const cover = createCover(merged, header.cells.length)
  for await (const rows of readSheet(workbook, sheet, hidden)) {
    const below = rows.filter(({line}) => line > header.line)
    for (const row of below) {
      cover(row)
      fit(row, header.cells.length, {file: workbook.file, sheet: sheet.name})
    }

    if (below.length > 0) yield below
  }

  notices.push(...describeHidden(sheet.name, hidden, header))
}

/** Gives a row as many cells as the header has; values beyond them are reported as unreadable, or refused if many. */
function fit(row: CellsRow, width: number, where: {file: string; sheet: string}): void {
  const {cells} = row
  if (cells.length === width) return
  const unreadable = new Map(row.unreadable)
  let unnamed = 0
  for (let place = width; place < cells.length; place++) {
    if (cells[place] === '') continue
    unreadable.set(place, 'a value in a column without a name')
    unnamed++
    if (unnamed > mostUnnamed) throw tooManyUnnamed({...where, line: row.line}, width)
  }
  if (unnamed > 0) row.unreadable = unreadable

  row.cells = cells.length < width ? [...cells, ...Array<string>(width - cells.length).fill('')] : cells.slice(0, width)
}

function tooManyUnnamed(place: {file: string; sheet: string; line: number}, width: number) {
  const what = `more than ${mostUnnamed} values are right of the last named column, ${toLetters(width - 1)}`
  return inputFailure('NAMELESS_COLUMN', what, place, ['Give these columns names, or delete what is in them.'])
}

function describe({sheets}: Workbook, {sheet}: Chosen, merged: readonly Range[]): string[] {
  const others = sheets.filter(({isHidden, name}) => isHidden && name !== sheet.name).map(({name}) => name)
  return [
    ...(sheet.isHidden ? [`the sheet ${sheet.name} is hidden, and was read`] : []),
    ...(others.length > 0 ? [`hidden sheets were not read: ${listed(others, shownPlaces)}`] : []),
    ...(merged.length > 0
      ? [
          `merged cells have their value in the first row and column only: ${listed(merged.map(rangeText), shownPlaces)}`,
        ]
      : []),
  ].map((text) => `sheet ${sheet.name}: ${text}`)
}

function describeHidden(name: string, {rows, columns}: Hidden, header: CellsRow): string[] {
  const hiddenRows = rows.filter((line) => line > header.line)
  const hiddenColumns = columns.filter(([first]) => first <= header.cells.length)
  const letters = hiddenColumns.map(([first, last]) => {
    const end = Math.min(last, header.cells.length)
    return first === end ? toLetters(first - 1) : `${toLetters(first - 1)}-${toLetters(end - 1)}`
  })
  return [
    ...(hiddenRows.length > 0
      ? [`hidden rows were read as well: ${listed(stretches(hiddenRows, '-'), shownPlaces)}`]
      : []),
    ...(letters.length > 0 ? [`hidden columns were read as well: ${listed(letters, shownPlaces)}`] : []),
  ].map((text) => `sheet ${name}: ${text}`)
}

const emptyZip = 'PK\u0005\u0006'
/** First bytes of files of old Office programs, and of encrypted new ones. */
const oleStart = '\u00d0\u00cf\u0011\u00e0'
const encryptedStream = Buffer.from('EncryptedPackage', 'utf16le')
const longestStart = 4

const asXlsx = 'Save it from the spreadsheet as an xlsx workbook, or as "CSV UTF-8".'

/** Archives other than xlsx workbooks, recognized by the path of a part. */
const archives: readonly [RegExp, string, string][] = [
  [/^xl\/workbook\.bin$/i, 'a binary workbook (xlsb)', asXlsx],
  [
    /^index\/.*\.iwa$|^index\.zip$/i,
    'a document of Apple Numbers, Pages or Keynote',
    'Export it from Numbers as Excel (xlsx), or as CSV.',
  ],
  [/^content\.xml$/i, 'an OpenDocument file (ods)', asXlsx],
]

/** Throws a `CliFailure` (invalid) for a file that begins like a workbook and is something else. */
function refuseOtherFiles(file: string, bytes: Buffer, parts?: ZipParts): void {
  const start = bytes.toString('latin1', 0, longestStart)
  if (start === oleStart)
    throw bytes.includes(encryptedStream)
      ? encrypted(file)
      : other(file, 'an old Excel workbook (xls) or another Office file', asXlsx)
  if (start === emptyZip) throw other(file, 'an empty archive', asXlsx)
  if (!parts) return
  for (const [pattern, what, hint] of archives)
    if (parts.paths.some((path) => pattern.test(path))) throw other(file, what, hint)
  if (!parts.has('_rels/.rels')) throw other(file, 'an archive', 'Unpack it, and name the file inside.')
}

function encrypted(file: string) {
  return other(
    file,
    'a workbook that is encrypted with a password',
    'Save a copy without a password (File > Info > Protect Workbook), and read that.',
  )
}

function other(file: string, what: string, hint: string) {
  return inputFailure('BINARY_FILE', `${what}, which cannot be read`, {file}, [hint])
}

/** Rows as a sheet counts them, places from 0; both ends belong to it. */
type Range = {firstRow: number; lastRow: number; firstPlace: number; lastPlace: number}

const mostMerges = 65_000
const mark = Buffer.from('mergeCell')
const address = /^\$?([A-Z]{1,3})\$?(\d+)$/

/** The merged cells from a row on. They are stored after all rows, so the sheet is read once for them alone. */
async function findMergedCells(workbook: Workbook, sheet: SheetPart, firstRow: number): Promise<Range[]> {
  const {file, parts} = workbook
  if (!(await mentionsMerges(parts.read(sheet.path)))) return []
  const ranges: Range[] = []
  let count = 0
  await readAllXml(
    {file, parts, path: sheet.path},
    {
      open(name, {ref = ''}) {
        if (name !== 'mergeCell') return
        count++
        if (count > mostMerges)
          throw damaged(file, `its sheet ${sheet.name} has more than ${thousands(mostMerges)} merged ranges`)
        const range = toRange(ref)
        if (range && range.lastRow >= firstRow) ranges.push(range)
      },
    },
  )
  return ranges.sort((one, other) => one.firstRow - other.firstRow)
}

/** Reads the part to its end, so that one that is damaged is found before its first row is used. */
async function mentionsMerges(bytes: AsyncIterable<Buffer>): Promise<boolean> {
  let found = false
  let end = Buffer.alloc(0)
  for await (const chunk of bytes) {
    found ||= chunk.includes(mark) || Buffer.concat([end, chunk.subarray(0, mark.length)]).includes(mark)
    end = Buffer.from(chunk.subarray(-mark.length))
  }

  return found
}

function toRange(ref: string): Range | undefined {
  const [first, last] = ref.split(':').map((part) => address.exec(part))
  if (!first || !last) return undefined
  return {
    firstRow: Number(first[2]),
    lastRow: Number(last[2]),
    firstPlace: toPlace(first[1]),
    lastPlace: toPlace(last[1]),
  }
}

function toPlace(letters = ''): number {
  return [...letters].reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** `C5:C7` */
function rangeText({firstRow, lastRow, firstPlace, lastPlace}: Range): string {
  return `${toLetters(firstPlace)}${firstRow}:${toLetters(lastPlace)}${lastRow}`
}

/** Empties, row by row, the cells that merged cells cover: the sheet does not show them. */
function createCover(ranges: readonly Range[], width: number): (row: CellsRow) => void {
  const covering = new Array<Range | undefined>(width)
  let next = 0
  let lastRow = 0
  return (row) => {
    for (let range = ranges[next]; range && range.firstRow <= row.line; range = ranges[next]) {
      for (let place = range.firstPlace; place <= Math.min(range.lastPlace, width - 1); place++) {
        if (range.lastRow > (covering[place]?.lastRow ?? 0)) covering[place] = range
      }
      lastRow = Math.max(lastRow, range.lastRow)
      next++
    }

    if (row.line <= lastRow) coverRow(row, covering)
  }
}

function coverRow(row: CellsRow, covering: readonly (Range | undefined)[]): void {
  const unreadable = new Map(row.unreadable)
  const cells = row.cells.map((cell, place) => {
    const range = cell === '' ? undefined : covering[place]
    if (!range || range.lastRow < row.line) return cell
    if (place === range.firstPlace && row.line === range.firstRow) return cell
    const why = `covered by the merged cells ${rangeText(range)} and has a value that the sheet does not show`
    unreadable.set(place, why)
    return ''
  })
  if (unreadable.size === (row.unreadable?.size ?? 0)) return
  Object.assign(row, {cells, unreadable})
}
