import {flagText} from '../../core/command-line.js'
import type {CliFailure} from '../../core/errors.js'
import {listed} from '../../values/counted.js'
import {type InputCode, inputFailure} from './input-failure.js'
import {type CellsRow, type HeaderFit, isSure, rowsOfHead} from './row.js'
import {type Hidden, readSheet} from './sheet-rows.js'
import type {SheetPart, Workbook} from './workbook.js'

export type SheetWish = {
  /** Name of the sheet, or its number from 1. */
  sheet?: string | undefined
  headerRow?: number | undefined
  /** The fit of a row to the columns that are looked for. */
  fitOf?: ((cells: readonly string[]) => HeaderFit) | undefined
}

/** The sheet that is read, and the row that names its columns; undefined when the sheet has none. */
export type Chosen = {sheet: SheetPart; header: CellsRow | undefined}

type Head = {sheet: SheetPart; rows: readonly CellsRow[]}
type Ranked = Chosen & {fit: HeaderFit}

/** Stretches that are read of a sheet whose other rows are empty: about a megabyte. */
const stretchesOfHead = 64
const shownNames = 6
const shownSheets = 10

/**
 * Chooses the sheet whose header fits best. Throws a `CliFailure` (invalid) when several fit alike, when the header is
 * below other rows, and when only a hidden sheet fits beside visible ones: people must name these with flags.
 */
export async function chooseSheet(workbook: Workbook, wish: SheetWish): Promise<Chosen> {
  const {file} = workbook
  const heads = await readHeads(workbook, wish)
  const {headerRow} = wish
  const first = heads.map(({sheet, rows}) => {
    return rank(sheet, headerRow === undefined ? rows[0] : rows.find(({line}) => line === headerRow), wish)
  })
  if (headerRow === undefined && !first.some(({fit}) => isSure(fit))) {
    const below = heads
      .flatMap(({sheet, rows}) => rows.slice(1).map((row) => rank(sheet, row, wish)))
      .filter(({fit}) => isSure(fit))
    if (below.length > 0) throw headerOfSheet(file, below, wish)
  }

  for (const fit of ['all', 'most', 'some'] as const) {
    const [found, ...others] = first.filter((each) => each.fit === fit)
    if (found && others.length > 0) throw severalSheets(file, [found, ...others])
    if (found?.sheet.isHidden && first.some(isSeen)) throw noSheet(file, first, 'only a hidden sheet')
    if (found) return found
  }

  const visible = first.filter(({sheet}) => !sheet.isHidden)
  const [only, ...others] = wish.fitOf ? first.filter(({header}) => header) : visible.length > 0 ? visible : first
  if (only && (others.length === 0 || !wish.fitOf)) return only
  if (first[0] && !only) return first[0]
  throw noSheet(file, first)
}

async function readHeads(workbook: Workbook, {sheet: wanted, headerRow = 0}: SheetWish): Promise<Head[]> {
  const sheets = wanted === undefined ? workbook.sheets : [findSheet(workbook, wanted)]
  const heads: Head[] = []
  for (const sheet of sheets) heads.push({sheet, rows: await readHead(workbook, sheet, headerRow)})
  return heads
}

function findSheet({file, sheets}: Workbook, wanted: string): SheetPart {
  const byName = (same: (name: string) => boolean) => sheets.find(({name}) => same(name))
  const found =
    byName((name) => name === wanted) ??
    byName((name) => name.toLowerCase() === wanted.toLowerCase()) ??
    (/^\d+$/.test(wanted) ? sheets[Number(wanted) - 1] : undefined)
  if (found) return found
  const names = sheets.map(({name}) => quoteName(name))
  throw failure(
    file,
    'SHEET',
    `no sheet ${quoteName(wanted)}; it has ${listed(names, shownSheets)}`,
    sheets.slice(0, 1),
  )
}

async function readHead(workbook: Workbook, sheet: SheetPart, headerRow: number): Promise<CellsRow[]> {
  const head: CellsRow[] = []
  const hidden: Hidden = {rows: [], columns: []}
  let stretches = 0
  for await (const rows of readSheet(workbook, sheet, hidden)) {
    head.push(...rows)
    stretches++
    const isLong = head.length >= rowsOfHead || (head.length > 0 && stretches > stretchesOfHead)
    if (isLong && (head.at(-1)?.line ?? 0) >= headerRow) break
  }

  return headerRow === 0 ? head.slice(0, rowsOfHead) : head
}

function rank(sheet: SheetPart, header: CellsRow | undefined, {fitOf}: SheetWish): Ranked {
  return {sheet, header, fit: (header && fitOf?.(header.cells)) ?? 'none'}
}

function headerOfSheet(file: string, below: readonly Ranked[], {sheet: wanted}: SheetWish): CliFailure {
  const places = below.map(({sheet, header}) => `row ${header?.line} of sheet ${quoteName(sheet.name)}`)
  const sheets = new Set(below.map(({sheet}) => sheet))
  const names = wanted === undefined && sheets.size > 1
  const hints = below.map(({sheet, header}) => {
    return `${names ? `${flagText('sheet', sheet.name)} ` : ''}--header-row ${header?.line}`
  })
  return headerBelow(file, places, hints)
}

/** The failure for a header below other rows: it is named, never used. */
export function headerBelow(file: string, places: readonly string[], flags: readonly string[]): CliFailure {
  const what = `no header in its first row; ${listed(places, shownSheets)} looks like one`
  return inputFailure('HEADER_ROW', what, {file}, [`If that row names the columns, add: ${flags.join(', or: ')}`])
}

function severalSheets(file: string, found: readonly Ranked[]): CliFailure {
  const sheets = found.map(({sheet}) => sheet)
  const names = sheets.map(nameOf)
  return failure(file, 'SHEET', `${sheets.length} sheets have these columns: ${listed(names, shownSheets)}`, sheets)
}

/** Whether people see this table, and so would not expect another one to be sent. */
function isSeen({sheet, header}: Chosen): boolean {
  return header !== undefined && !sheet.isHidden
}

function noSheet(file: string, all: readonly Ranked[], which = 'no sheet'): CliFailure {
  const found = all.map(({sheet, header}) => {
    const columns = header?.cells.filter((cell) => cell !== '') ?? []
    return `${nameOf(sheet)} has ${columns.length === 0 ? 'nothing' : listed(columns.map(quoteName), shownNames)}`
  })
  const sheets = all.filter(({header}) => header).map(({sheet}) => sheet)
  return failure(file, 'SHEET', `${which} has the columns of this write: ${listed(found, shownSheets, '; ')}`, sheets)
}

function failure(file: string, code: InputCode, what: string, sheets: readonly SheetPart[]): CliFailure {
  const flags = sheets.slice(0, shownNames).map(({name}) => flagText('sheet', name))
  return inputFailure(code, what, {file}, [`Name the sheet to read: ${flags.join(', or: ')}`])
}

function nameOf({name, isHidden}: SheetPart): string {
  return isHidden ? `${quoteName(name)} (hidden)` : quoteName(name)
}

function quoteName(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name)
}
