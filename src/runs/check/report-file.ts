import {type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {openAtomicFile} from '../../formats/files/atomic-file.js'
import {isWorkbook} from '../../formats/names.js'
import type {ReadOptions, RowFile} from '../../formats/read/read-rows.js'
import type {Row} from '../../formats/read/row.js'
import type {SheetHeader} from '../../formats/write/xlsx/write-xlsx-rows.js'
import type {Mark, SheetCell} from '../../formats/write/xlsx/xlsx-cells.js'
import {toPlainName} from '../../validate/field-names.js'
import {type Problem, problemText} from '../../validate/problem.js'
import {isRecord} from '../../values/json.js'
import type {CheckedFile} from './check-file.js'
import {openSource} from './input-source.js'
import {type SheetSource, sheetNameOf, toSheetSource} from './sheet-cells.js'

/** The column with the problems of a row. Names that begin with `_` are ignored when the report is sent. */
const problemName = '_problem'
/** Most problems that one cell shows; all of them are in the output of lint. */
const problemsShown = 20

/** A workbook of the rows of a file, in which the problems are shown. */
export type ReportFile = Awaited<ReturnType<typeof openReport>>

type ReportOptions = ReadOptions & {file: string; out: string; overwrite: boolean}

/** Opens a report before the file is read. Throws a `CliFailure` (usage) when it cannot be written. */
export async function openReport(operation: WriteId, options: ReportOptions) {
  const {file, out, overwrite} = options
  if (!isWorkbook(out))
    throw new CliFailure(`--report writes a workbook, and ${out} is not such a file`, {
      code: 'INVALID_REPORT',
      hints: ['Name a file that ends in .xlsx.'],
    })
  const source = await openSource(file, changedWhileChecked)
  const target = await openAtomicFile(out, {overwrite})
  const byRow = new Map<number, readonly Problem[]>()
  let count = 0

  return {
    /** For the check: sees the file on its way, and the problems of each row. */
    options: {
      through: source.through,
      onRow(problems: readonly Problem[]): void {
        if (problems.length > 0) byRow.set(count, problems)
        count++
      },
    },
    /** Writes the report when the file was checked. Resolves with the number of rows that have problems. */
    async write({problems, reading}: CheckedFile): Promise<number> {
      const {resource} = writeOperation(operation)
      const readAgain = () => source.readAgain({...options, ...reading})
      const sheet = await toSheetSource(await readAgain(), resource, readAgain)
      const {writeXlsxRows} = await import('../../formats/write/xlsx/write-xlsx-rows.js')
      const known = new Set([...byRow.values()].flat())
      const others = problems.filter((problem) => !known.has(problem))
      const [ofRows, ofFile] = divide(others, sheet.input.header?.line ?? 0)
      const layout = toLayout(sheet.source, ofFile)
      const rows = writeXlsxRows(target, layout.header, sheetNameOf(sheet.input))
      let number = 0
      let bad = 0
      for await (const stretch of sheet.input.rows) {
        for (const row of stretch) {
          const found = [...(byRow.get(number) ?? []), ...(ofRows.get(row.line) ?? []), ...findLost(row, sheet)]
          if (found.length > 0) bad++
          number++
          await rows.row(layout.toCells(row, found))
        }
      }

      await rows.end()
      source.checkSame()
      await target.commit()
      return bad
    },
    /** Leaves nothing half-written behind. */
    discard: () => target.discard(),
  }
}

/** Texts of no letters, which the report cannot hold: sent as it is, it would leave their fields as they are. */
function findLost(row: Row, {source: {names}, input}: {source: SheetSource; input: RowFile}): Problem[] {
  if (row.kind !== 'cells') return []
  const message = 'is "" in the file, which a workbook cannot hold'
  return (row.quoted ?? []).map((place) => ({
    ...{file: input.name, line: row.line, column: place + 1, columnName: names[place] ?? ''},
    ...{severity: 'warning', code: 'EMPTY_TEXT', message},
  }))
}

/** Problems that were found last: those of a line below the header, and those of all of the file. */
function divide(problems: readonly Problem[], headerLine: number) {
  const isOfRow = ({line = 0}: Problem) => line > headerLine
  const ofRows = Map.groupBy(problems.filter(isOfRow), ({line = 0}) => line)
  return [ofRows, problems.filter((problem) => !isOfRow(problem))] as const
}

function toLayout({names, toCells}: SheetSource, ofFile: readonly Problem[]) {
  const kept = names.flatMap((name, place) => (name.trim().startsWith(problemName) ? [] : [place]))
  const header = names.map(
    (text, place): SheetHeader => ({text, ...markOf(ofFile.filter((one) => one.column === place + 1))}),
  )
  const shown = [problemName, ...describe(ofFile)].join('\n')
  return {
    header: [{text: shown, isNote: true, ...markOf(ofFile)}, ...kept.flatMap((place) => header[place] ?? [])],
    toCells(row: Row, found: readonly Problem[]): SheetCell[] {
      const cells: SheetCell[] = toCells(row)
      const missing = found.some(({code}) => code === 'RAGGED_ROW') ? [...names.keys()].slice(cells.length) : []
      for (const place of missing) cells[place] = {text: '', mark: 'error'}
      for (const [place, problems] of Map.groupBy(found, (problem) => findPlace(problem, row, names)))
        if (place !== undefined) cells[place] = {...(cells[place] ?? {text: ''}), ...markOf(problems)}
      const own = [...kept, ...[...cells.keys()].slice(names.length)].map((place) => cells[place] ?? {text: ''})
      return [{text: describe(found).join('\n')}, ...own]
    },
  }
}

/** Place of the cell of a problem among the columns; undefined for a problem of the complete row. */
function findPlace({column, columnName = ''}: Problem, row: Row, names: readonly string[]): number | undefined {
  if (row.kind === 'cells') return column === undefined ? findName(columnName, names) : column - 1
  if (row.kind !== 'value' || !isRecord(row.value)) return undefined
  const written = column === undefined ? undefined : Object.keys(row.value)[column - 1]
  const below = columnName.split('.').slice(1)
  return (
    findName(columnName, names) ??
    findName([written ?? columnName, ...below].join('.'), names) ??
    findName(written ?? '', names)
  )
}

function findName(name: string, names: readonly string[]): number | undefined {
  const plain = toPlainName(name)
  const place = plain === '' ? -1 : names.findIndex((other) => toPlainName(other) === plain)
  return place === -1 ? undefined : place
}

function markOf(problems: readonly Problem[]): {mark?: Mark} {
  if (problems.length === 0) return {}
  return {mark: problems.some(({severity}) => severity === 'error') ? 'error' : 'warning'}
}

function describe(problems: readonly Problem[]): string[] {
  const texts = problems
    .slice(0, problemsShown)
    .map((problem) => `${problem.severity === 'warning' ? 'warning: ' : ''}${problemText(problem)}`)
  const more = problems.length - texts.length
  return more > 0 ? [...texts, `… and ${more} more`] : texts
}

function changedWhileChecked(file: string): CliFailure {
  return new CliFailure(`${file} was changed while it was checked, so no report was written.`, {
    code: 'FILE_CHANGED',
    exit: 'storage',
    hints: ['Run the same command again.'],
  })
}
