import {type Options, stringify} from 'csv-stringify/sync'
import {createEnvelope} from '../../../src/cli/app/envelope.js'
import {
  type Column,
  chooseColumns,
  findColumn,
  findColumns,
  toColumn,
  toPath,
  unknownColumn,
} from '../../../src/formats/columns.js'
import {compareValues, createMatch, satisfies, toSortKeys} from '../../../src/formats/conditions.js'
import {createFlatten, type Lost, toCellText} from '../../../src/formats/flatten.js'
import type {Format} from '../../../src/formats/outputs/format-table.js'
import {valueAt} from '../../../src/formats/record-path.js'
import {toSafeText} from '../../../src/formats/safe-text.js'
import {
  createPageIntake,
  createPageRows,
  type PageRendererOptions,
  printAnswer,
} from '../../../src/formats/scan/page-renderer.js'
import {unknownColumns} from '../../../src/formats/unknown-columns.js'
import {type Dialect, escapeFormula, toDialect} from '../../../src/formats/write/dialect.js'
import type {OpenRows, RowWriter} from '../../../src/formats/write/file-writer.js'
import {markdownHeader, toLine, toMarkdown} from '../../../src/formats/write/table/markdown.js'
import {createTable} from '../../../src/formats/write/table/table.js'
import {createPick} from '../../../src/formats/write/write-json.js'
import {type JsonRecord, type JsonValue, printJson} from '../../../src/values/json.js'

/**
 * What pages of records are in an output, worked out from all of them at once: what the rows of scanned pages are compared
 * with.
 */
type Pages = readonly (readonly JsonRecord[])[]
type Settled = Pick<PageRendererOptions, 'columns' | 'chosen' | 'lookAhead'>

const usualLookAhead = 10_000
/** A table needs records to find its widths, also when its columns are known. */
const tableLookAhead = 1_000

/** The columns of the contract and those of unknown fields, narrowed to the chosen ones. */
export function settleColumns({columns, chosen}: Settled, records: readonly JsonRecord[]): Column[] {
  const all = [...columns, ...unknownColumns(records, columns)]
  return chosen ? chooseColumns(all, chosen) : all
}

/** The records that settle the columns, and the pages behind them; undefined while more are needed. */
function splitPages(pages: Pages, needed: number, isEnded: boolean): [JsonRecord[], ...Pages] | undefined {
  const isEnough = (_: unknown, place: number) => pages.slice(0, place + 1).flat().length >= needed
  const length = needed === 0 ? 0 : pages.findIndex(isEnough) + 1
  if (needed > 0 && length === 0) return isEnded ? [pages.flat()] : undefined
  return [pages.slice(0, length).flat(), ...pages.slice(length)]
}

/** The text of pages, up to its end or as far as it is known before more of them come. */
export function renderObviously(format: Format, options: PageRendererOptions, pages: Pages, isEnded: boolean) {
  const {columns, chosen, lookAhead = usualLookAhead} = options
  const isKnown = chosen ? chosen.every((name) => findColumns(columns, name).length > 0) : isNested(format)
  const needed = !isKnown ? lookAhead : format === 'table' ? Math.min(lookAhead, tableLookAhead) : 0
  const lost: Lost = new Map()
  const all = splitPages(pages, needed, isEnded)
  if (!all) return {text: '', lost}
  const settled = settleColumns(options, all[0])
  const {header, body, footer} = writers[format](settled, options, chosen ? undefined : lost)
  const end = isEnded ? (footer?.(pages.flat().length) ?? '') : ''
  return {text: header + body(all) + end, lost}
}

function isNested(format: Format): boolean {
  return format === 'json' || format === 'ndjson'
}

type Text = {header: string; body(pages: Pages): string; footer?: (rows: number) => string}
type ToText = (columns: readonly Column[], options: PageRendererOptions, lost?: Lost) => Text

const writers: Readonly<Record<Format, ToText>> = {
  csv: (columns, {dialect, delimiter}, lost) => csvText(columns, toDialect('csv', dialect, delimiter), lost),
  tsv: (columns, {dialect, delimiter}, lost) => csvText(columns, toDialect('tsv', dialect, delimiter), lost),
  json(columns, {chosen}) {
    const pick = chosen ? createPick(columns) : (record: JsonRecord) => record
    return {
      header: '[',
      body: (pages) =>
        pages
          .flat()
          .map((record, place) => `${place === 0 ? '' : ','}\n${printJson(pick(record))}`)
          .join(''),
      footer: (rows) => (rows === 0 ? ']\n' : '\n]\n'),
    }
  },
  ndjson(columns, {chosen}) {
    const pick = chosen ? createPick(columns) : (record: JsonRecord) => record
    return {
      header: '',
      body: (pages) =>
        pages
          .flat()
          .map((record) => `${printJson(pick(record))}\n`)
          .join(''),
    }
  },
  markdown(columns, _options, lost) {
    const cells = cellsOf(columns, toMarkdown, lost)
    return {
      header: markdownHeader(columns),
      body: (pages) =>
        pages
          .flat()
          .map((record) => toLine(cells(record)))
          .join(''),
    }
  },
  table(columns, options, lost) {
    const cells = cellsOf(columns, toSafeText, lost)
    const table = createTable(columns, options)
    return {header: '', body: (pages) => pages.map((page) => table.draw(page.map(cells))).join('')}
  },
}

function cellsOf(columns: readonly Column[], toText: (text: string) => string, lost: Lost | undefined) {
  const flatten = createFlatten(columns)
  return (record: JsonRecord) => flatten(record, lost).map((cell) => toText(toCellText(cell) ?? ''))
}

/**
 * Separated values by csv-stringify: null and absent as an empty cell, empty text as `""`, numbers digit for digit; only
 * texts are escaped, and a line end of another dialect is quoted, too.
 */
export function csvText(columns: readonly Column[], dialect: Dialect, lost?: Lost): Text {
  const {delimiter, lineEnding, byteOrderMark, escapesFormulas} = dialect
  const flatten = createFlatten(columns)
  const other = (value: unknown) => toCellText(value as JsonValue) ?? ''
  const string = (text: string) =>
    text === '' ? {value: '', quoted_empty: true} : escapesFormulas ? escapeFormula(text) : text
  const cast = {string, number: other, boolean: other, object: other}
  const options: Options = {delimiter, record_delimiter: lineEnding, quoted_match: /[\r\n]/, cast}
  return {
    header: stringify([columns.map(({name}) => name)], {...options, bom: byteOrderMark}),
    body(pages) {
      const rows = pages.flat().map((record) => flatten(record, lost))
      return rows.length > 0 ? stringify(rows, options) : ''
    },
  }
}

/** Writes pages to a file that is no text, as records of plain fields only; values that no column showed are returned. */
async function writeObviously(options: Settled, open: OpenRows, pages: Pages, isEnded: boolean): Promise<Lost> {
  const lost: Lost = new Map()
  const all = splitPages(pages, options.lookAhead ?? usualLookAhead, isEnded)
  if (!all) return lost
  const [first] = all
  const columns = settleColumns(options, first)
  const flatten = createFlatten(columns)
  const writer = await open(columns, (see) => {
    for (const [row, record] of first.entries())
      for (const [place, value] of flatten(record).entries())
        if (value !== undefined && value !== null) see(place, value, row)
  })
  const flat = all.flat().map((record) => {
    const cells = flatten(record, options.chosen ? undefined : lost)
    return Object.fromEntries(cells.flatMap((cell, place) => (cell === undefined ? [] : [[`cell ${place}`, cell]])))
  })
  await putFlat(writer, columns, flat)
  if (isEnded) await writer.end()
  return lost
}

async function putFlat(writer: RowWriter, columns: readonly Column[], records: readonly JsonRecord[]): Promise<void> {
  const flat = columns.map(({kind}, place) => toColumn([`cell ${place}`], kind))
  const intake = createPageIntake({columns: flat}, {waitsFor: 'nothing'})
  const rows = createPageRows({columns: flat, lines: undefined, countsLost: false, shapes: intake.shapes})
  const visitor = writer.visitor(rows)
  const page = intake.scan(printAnswer(records))
  for (const index of records.keys()) {
    rows.visit(page, index, visitor, new Map())
    await writer.room?.()
  }
}

export type Selection = {
  columns: readonly Column[]
  where?: readonly string[] | undefined
  sort?: string | undefined
  limit?: number | undefined
}

/** The records that satisfy conditions, in order, up to a limit; `check` throws at a name that no record knows. */
function selectObviously(pages: Pages, {columns, where = [], sort, limit = Number.POSITIVE_INFINITY}: Selection) {
  const keys = sort === undefined ? [] : toSortKeys(sort)
  const {conditions} = createMatch({where}, columns)
  const pathOf = (name: string) => findColumn(columns, name)?.path ?? toPath(name)
  const kept = pages.map((page) => page.filter((record) => satisfies(record, conditions)))
  const count = kept.flat().length
  const sorted = kept.flat().sort((one, other) => {
    for (const {name, descending} of keys) {
      const [left, right] = [one, other].map((record) => valueAt(record, pathOf(name)) ?? null)
      const order = compare(left ?? null, right ?? null, descending)
      if (order !== 0) return order
    }
    return 0
  })
  let left = limit
  const cut = kept.map((page) => {
    const taken = page.slice(0, left)
    left -= taken.length
    return taken
  })
  return {
    pages: sort === undefined ? cut : [sorted.slice(0, limit)],
    unknown: unknownColumns(kept.flat(), columns),
    isCut: count > limit,
    check() {
      const names = [...conditions, ...keys].map(({name}) => name)
      const unseen = names.filter(
        (name) =>
          !findColumn(columns, name) && !pages.flat().some((record) => valueAt(record, toPath(name)) !== undefined),
      )
      if (unseen[0] !== undefined) throw unknownColumn(unseen[0], columns)
    },
  }
}

/** Null is last in both directions. */
function compare(one: JsonValue, other: JsonValue, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return descending ? -compareValues(one, other) : compareValues(one, other)
}

export type Sought = Selection &
  Settled & {
    /** Texts of an envelope, or a format. */
    as: 'elements' | Format | OpenRows
    dialect?: PageRendererOptions['dialect']
  }

/**
 * Writes the pages that could be read, and ends the output unless one could not. `write` is given all of a text at once;
 * what it was given before a failure is what stands in the output then.
 */
export async function sinkObviously(
  {as, columns, chosen, lookAhead, dialect, ...selection}: Sought,
  pages: Pages,
  problem: unknown,
  write: (text: string) => void,
) {
  const {pages: kept, unknown, isCut, check} = selectObviously(pages, {columns, ...selection})
  const isSorted = selection.sort !== undefined
  const isKnown = chosen?.every((name) => findColumns(columns, name).length > 0)
  const all = isSorted && !isKnown ? [...columns, ...unknown] : columns
  const options = {columns: all, lookAhead, dialect, ...(chosen && {chosen})}
  const failed = problem ?? failureOf(check)
  if (isSorted && failed) throw failed
  const rows = kept.flat().length
  const isEnded = failed === undefined
  if (typeof as === 'function') {
    const lost = await writeObviously(options, as, kept, isEnded)
    if (failed) throw failed
    return {rows, lost, isCut}
  }

  const format = as === 'elements' ? 'ndjson' : as
  const toOutput = (text: string) => {
    if (as !== 'elements') return text
    const lines = text.split('\n').filter(Boolean)
    const laidOut = Buffer.from(lines.map((line) => `\n    ${line}`).join(','))
    return [...createEnvelope('x').elements(laidOut, lines.length)].join('')
  }
  const before = renderObviously(format, options, kept, false).text
  if (kept.length > 0 && before !== '') write(toOutput(before))
  if (failed) throw failed
  const {text, lost} = renderObviously(format, options, kept, true)
  write(toOutput(text))
  return {rows, lost, isCut}
}

function failureOf(step: () => void): unknown {
  try {
    step()
    return undefined
  } catch (error) {
    return error
  }
}
