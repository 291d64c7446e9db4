import {allFieldsOf, type Fields, writeOperation} from '../../contract/index.js'
import {toCellText} from '../../formats/flatten.js'
import {valueAt} from '../../formats/record-path.js'
import {unescapeFormula} from '../../formats/write/dialect.js'
import {toPath} from '../../validate/field-names.js'
import type {Problem} from '../../validate/problem.js'
import {nullMark} from '../../validate/read-cell.js'
import {toSentTime} from '../../validate/sent-time.js'
import {compareDecimals, isDecimal} from '../../values/decimal.js'
import {isNumber, isRecord, type JsonRecord, type JsonValue, numberText, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {PlannedRow, RowList} from '../rows/cut-sets.js'
import {findField, ownField, spellRecord} from '../rows/merge-fields.js'
import {mapRows} from '../rows/packed-rows.js'
import type {Matched} from '../rows/phases.js'
import {contentDigest, idOf} from '../rows/row-content.js'

type Current = {
  find(row: PlannedRow): JsonRecord | undefined
  /** The rows are cells of a table, which have no types. */
  isTable: boolean
}

type ToSettle = Pick<Matched, 'operation' | 'columns' | 'rows' | 'doubts' | 'warnings'>
type Settled = Pick<Matched, 'rows' | 'doubts' | 'warnings'>

/**
 * Rows beside the current records, by the digits of their ids: a cell that shows a value as lists write it, escaped
 * formulas among them, is that value, and a problem with a value that is in the record is none.
 */
export function settleCells(plan: ToSettle, records: ReadonlyMap<string, JsonRecord>): Settled {
  const {operation, doubts, warnings, columns, rows} = plan
  const isTable = columns.size > 0
  const current: Current = {isTable, find: (row) => records.get(idText(idOf(row, writeOperation(operation))))}
  const places = once(() => createPlaces(rows))
  const isCurrent = (problem: Problem) => {
    const found = places()(problem)
    return found.length > 0 && found.every((place) => isCurrentIn(problem, rows.at(place), current))
  }
  const fields = allFieldsOf(writeOperation(operation).resource)
  return {
    rows: isTable ? mapRows(rows, (row) => settleRow(row, current.find(row), fields)) : rows,
    doubts: doubts.flatMap((doubt) => {
      if (places()(doubt).length > 0) return isCurrent(doubt) ? [] : [doubt]
      return judgeColumn(doubt, rows, current)
    }),
    warnings: warnings.filter((warning) => !isCurrent(warning)),
  }
}

/** Finds the places of the rows that a problem is about; records of a JSON array on one line are told apart by number. */
export function createPlaces(rows: RowList): (problem: Problem) => number[] {
  const byLine = new Map<number | undefined, number>(rows.map((row, place) => [row.line, place] as const).reverse())
  return ({line, lines = [line], row}) =>
    lines.flatMap((one) => (row !== undefined && rows.at(row - 1)?.line === one ? row - 1 : (byLine.get(one) ?? [])))
}

function once<Value>(make: () => Value): () => Value {
  let made: {value: Value} | undefined
  return () => {
    made ??= {value: make()}
    return made.value
  }
}

/** A column that the contract does not know is one of the records when they have such a field; its cells must repeat it. */
function judgeColumn(doubt: Problem, rows: RowList, current: Current): Problem[] {
  const path = toPath(doubt.columnName ?? '')
  const isField = rows.some((row) => valueAt(current.find(row) ?? {}, path) !== undefined)
  if (!isField) return [doubt]
  const message = 'not in the contract, so a change of it is not sent; to send it, add: --unknown-columns send'
  return rows.flatMap((row) => {
    if (isCurrentIn(doubt, row, current)) return []
    return [{...doubt, line: row.line, message, cell: toCellText(valueAt(row.record, path)) ?? ''}]
  })
}

/** Whether the record of a row has the value that a problem is about; a row that is not sent changes nothing. */
function isCurrentIn(
  {columnName = '', cell, code}: Problem,
  row: PlannedRow | undefined,
  {find, isTable}: Current,
): boolean {
  if (row?.skip === 'appliedBefore') return true
  const current = row && find(row)
  if (!current) return false
  const path = Object.hasOwn(row.record, columnName) ? [columnName] : toPath(columnName)
  const given = valueAt(row.record, path)
  const now = valueAt(current, path)
  if (given !== undefined) return printJson(isTable ? currentValue(given, now) : given) === printJson(now ?? null)
  if (cell === undefined || !isTable) return true // nothing of it is sent
  const isTime = code === 'NOT_A_DATE' && typeof now === 'string'
  return isTime ? toSentTime(cell) === toSentTime(now) : repeats(cell, now)
}

function settleRow(row: PlannedRow, current: JsonRecord | undefined, fields: Fields): PlannedRow {
  const record = current ? settleFields(row.record, current, fields) : row.record
  return record === row.record ? row : {...row, record, digest: row.digest ?? contentDigest(row.record)}
}

/** The fields that cells gave, each with the value of the record where the cell shows just that. */
function settleFields(given: JsonRecord, current: JsonRecord, fields: Fields): JsonRecord {
  const now = spellRecord(current, fields)
  let isSame = true
  const settled = Object.entries(given).map(([name, value]): [string, JsonValue] => {
    const next = settleValue(value, ownField(now, name), findField(fields, name)?.fields)
    isSame &&= next === value
    return [name, next]
  })
  return isSame ? given : Object.fromEntries(settled)
}

/** An object that the contract does not know keeps the fields that no cell names. */
function settleValue(value: JsonValue, now: JsonValue | undefined, fields: Fields | undefined): JsonValue {
  if (!isRecord(value) || !isRecord(now)) return currentValue(value, now)
  const settled = settleFields(value, now, fields ?? {})
  return fields ? settled : {...now, ...settled}
}

/** The value of a record when a cell shows just that; else the value of the cell. */
function currentValue(given: JsonValue, now: JsonValue | undefined): JsonValue {
  if (now === undefined || now === null || given === now) return given
  if (given === null) return now === nullMark ? now : given
  if (isNumber(given) && isNumber(now) && numberText(given) === numberText(now)) return given
  const isText = typeof given === 'string'
  const text = isText ? given : isNumber(given) ? toCellText(given) : undefined
  return text !== undefined && (isText || isNumber(now)) && repeats(text, now) ? now : given
}

/** Whether a cell shows a value as lists write it. Spreadsheets keep one kind of line end, and no file half of a pair. */
function repeats(cell: string, now: JsonValue | undefined): boolean {
  const text = (toCellText(now) ?? '').toWellFormed()
  if ([cell, unescapeFormula(cell)].some((one) => one === text || one === text.replaceAll(/\r\n?/g, '\n'))) return true
  return isNumber(now) && isDecimal(cell) && isDecimal(text) && compareDecimals(cell, text) === 0
}
