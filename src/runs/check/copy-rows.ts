import {CliFailure} from '../../core/errors.js'
import type {RowFile} from '../../formats/read/read-rows.js'
import type {CellsRow, Row} from '../../formats/read/row.js'
import {toChunks} from '../../formats/write/chunks.js'
import {escapeFormula} from '../../formats/write/dialect.js'
import {writeCells} from '../../formats/write/write-csv.js'
import {isNumber, isRecord, type JsonRecord, type JsonValue, numberText, printJson} from '../../values/json.js'
import type {RowOutcome} from '../report/report.js'

/** A copy of rows of the input, as they were written there, with the columns of this program behind them. */
export type Copy = {
  /** Names of the further columns; those of the input that are named so are left out. */
  names: readonly string[]
  /** Cells of the further columns; undefined leaves the row out. */
  valuesOf(outcome: RowOutcome): readonly (JsonValue | undefined)[] | undefined
  write(text: string): Promise<void>
}

/**
 * Copies rows of an input file into several files in one reading: CSV in the delimiter of the input, JSON as one record
 * a line. Throws a `CliFailure` when the rows are not those whose fates are known.
 */
export async function copyRows(
  input: RowFile,
  outcomes: readonly RowOutcome[],
  copies: readonly Copy[],
): Promise<void> {
  const {header, delimiter = ','} = input
  const writers = copies.map((copy) => toWriter(copy, header?.cells, delimiter))
  for (const [number, {head}] of writers.entries()) if (head !== '') await copies[number]?.write(head)
  let next = 0
  for await (const rows of input.rows) {
    const known: [Row, RowOutcome][] = []
    for (const row of rows) {
      const outcome = outcomes[next]
      if (outcome?.line !== row.line) continue // an empty row, which was left out
      known.push([row, outcome])
      next++
    }

    for (const [number, {toLine}] of writers.entries()) await writeAll(copies[number], known, toLine)
  }

  if (next < outcomes.length) throw notTheRows(input.name)
}

async function writeAll(
  copy: Copy | undefined,
  known: readonly [Row, RowOutcome][],
  toLine: (row: Row, outcome: RowOutcome) => string,
): Promise<void> {
  const lines = known.map(([row, outcome]) => toLine(row, outcome)).filter((line) => line !== '')
  for (const chunk of toChunks(lines)) await copy?.write(chunk)
}

type Writer = {head: string; toLine(row: Row, outcome: RowOutcome): string}

function toWriter(copy: Copy, header: readonly string[] | undefined, delimiter: string): Writer {
  return header ? toTableWriter(copy, header, delimiter) : toRecordWriter(copy)
}

function toTableWriter({names, valuesOf}: Copy, header: readonly string[], delimiter: string): Writer {
  const kept = header.flatMap((name, place) => (names.includes(name.trim()) ? [] : [place]))
  const toLine = (cells: readonly string[], quoted: CellsRow['quoted'], more: readonly string[]) => {
    const isQuoted = (place: number) => quoted?.includes(kept[place] ?? -1) === true
    const own = kept.map((place) => cells[place] ?? '')
    return writeCells(
      [...own, ...more],
      delimiter,
      quoted && own.flatMap((_, place) => (isQuoted(place) ? [place] : [])),
    )
  }

  return {
    head: toLine(header, undefined, names),
    toLine(row, outcome) {
      const values = row.kind === 'cells' ? valuesOf(outcome) : undefined
      return row.kind === 'cells' && values ? toLine(row.cells, row.quoted, values.map(toCell)) : ''
    },
  }
}

/** Texts of the service do not become formulas when the copy is opened in a spreadsheet. */
function toCell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (isNumber(value)) return numberText(value)
  return typeof value === 'string' ? escapeFormula(value) : printJson(value)
}

function toRecordWriter({names, valuesOf}: Copy): Writer {
  return {
    head: '',
    toLine(row, outcome) {
      const values = row.kind === 'value' ? valuesOf(outcome) : undefined
      if (row.kind !== 'value' || !values || !isRecord(row.value)) return ''
      const own = Object.entries<JsonValue>(row.value).filter(([name]) => !names.includes(name))
      const more = names.map((name, place): [string, JsonValue] => [name, values[place] ?? null])
      return `${printJson(toRecord([...own, ...more]))}\n`
    },
  }
}

/** `Object.fromEntries` makes own properties of every name, `__proto__` among them. */
function toRecord(entries: readonly [string, JsonValue][]): JsonRecord {
  return Object.fromEntries(entries)
}

/** The rows of a file are not those whose fates are known. */
export function notTheRows(name: string): CliFailure {
  return new CliFailure(`${name} has changed: its rows can no longer be copied.`, {
    code: 'FILE_CHANGED',
    exit: 'storage',
    changed: 'some',
  })
}
