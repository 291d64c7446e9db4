import {CliFailure} from '../../core/errors.js'
import type {RowFile} from '../../formats/read/read-rows.js'
import type {CellsRow, Row} from '../../formats/read/row.js'
import {toChunks} from '../../formats/write/chunks.js'
import {escapeFormula, writeCells} from '../../formats/write/dialect.js'
import {isNumber, isRecord, type JsonValue, numberText, printJson} from '../../values/json.js'
import type {List} from '../../values/list.js'
import type {RowOutcome} from '../rows/phases.js'
import {type SheetSource, sheetNameOf, toSheetCell} from './sheet-cells.js'

/** A copy of rows of the input, as they were written there, with the columns of this program behind them. */
export type Copy = {
  /** Names of the further columns; those of the input that are named so are left out. */
  names: readonly string[]
  /** Cells of the further columns; undefined leaves the row out. */
  valuesOf(outcome: RowOutcome): readonly (JsonValue | undefined)[] | undefined
  /** The file is a workbook and takes bytes. */
  isWorkbook: boolean
  write(chunk: string | Uint8Array): Promise<void>
  /** Takes a step of this copy; one that fails does not stop the others. */
  attempt(step: () => Promise<void>): Promise<void>
}

/**
 * Copies rows of an input file into several files in one reading: CSV in the delimiter of the input, JSON as one record
 * a line, and workbooks of the rows of `sheet`. Throws a `CliFailure` when the rows are not those whose fates are known.
 */
export async function copyRows(
  input: RowFile,
  outcomes: List<RowOutcome>,
  copies: readonly Copy[],
  sheet?: SheetSource,
): Promise<void> {
  const writers: KnownWriter[] = []
  for (const copy of copies) {
    writers.push(
      sheet && copy.isWorkbook ? await openBookWriter(copy, sheet, input) : await openTextWriter(copy, input),
    )
  }

  for await (const known of withOutcomes(input, outcomes)) for (const writer of writers) await writer.add(known)
  for (const writer of writers) await writer.end()
}

type KnownRows = readonly (readonly [Row, RowOutcome])[]

/** The rows of a file, each with what became of it. Throws a `CliFailure` when they are other rows. */
export async function* withOutcomes(
  {name, rows: stretches}: RowFile,
  outcomes: List<RowOutcome>,
): AsyncGenerator<KnownRows, void, void> {
  let next = 0
  for await (const rows of stretches) {
    const known: [Row, RowOutcome][] = []
    for (const row of rows) {
      const outcome = outcomes.at(next)
      if (outcome?.line !== row.line) continue // an empty row, which was left out
      known.push([row, outcome])
      next++
    }
    yield known
  }
  if (next < outcomes.length)
    throw new CliFailure(`${name} has changed: its rows can no longer be copied.`, {
      code: 'FILE_CHANGED',
      exit: 'storage',
      changed: 'some',
    })
}

type KnownWriter = {add(known: KnownRows): Promise<void>; end(): Promise<void>}

async function openTextWriter(copy: Copy, {header, delimiter = ','}: RowFile): Promise<KnownWriter> {
  const {head, toLine} = header ? toTableWriter(copy, header.cells, delimiter) : toRecordWriter(copy)
  if (head !== '') await copy.attempt(() => copy.write(head))
  return {
    async add(known) {
      const lines = known.map(([row, outcome]) => toLine(row, outcome)).filter((line) => line !== '')
      for (const chunk of toChunks(lines)) await copy.attempt(() => copy.write(chunk))
    },
    end: async () => undefined,
  }
}

async function openBookWriter(copy: Copy, sheet: SheetSource, input: RowFile): Promise<KnownWriter> {
  const {writeXlsxRows} = await import('../../formats/write/xlsx/write-xlsx-rows.js')
  const {names, valuesOf} = copy
  const kept = keepOthers(sheet.names, names)
  const header = [...kept.map((place) => sheet.names[place] ?? ''), ...names].map((text) => ({text}))
  const book = writeXlsxRows(copy, header, sheetNameOf(input))
  return {
    add: (known) =>
      copy.attempt(async () => {
        for (const [row, outcome] of known) {
          const values = valuesOf(outcome)
          if (values === undefined) continue
          const cells = sheet.toCells(row)
          await book.row([...kept.map((place) => cells[place] ?? {text: ''}), ...values.map(toSheetCell)])
        }
      }),
    end: () => copy.attempt(book.end),
  }
}

/** Places of the columns of the input that the copy does not write itself. */
function keepOthers(header: readonly string[], names: readonly string[]): number[] {
  return header.flatMap((name, place) => (names.includes(name.trim()) ? [] : [place]))
}

type Writer = {head: string; toLine(row: Row, outcome: RowOutcome): string}

function toTableWriter({names, valuesOf}: Copy, header: readonly string[], delimiter: string): Writer {
  const kept = keepOthers(header, names)
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
      return `${printJson(Object.fromEntries([...own, ...more]))}\n`
    },
  }
}
