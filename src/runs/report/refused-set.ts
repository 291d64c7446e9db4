import type {RefusalEntry, WriteAnswer} from '../../client/types.js'
import {toForeignCode} from '../../contract/failure-codes.js'
import {exitCodeOf, findRefusal, type Refusal} from '../../contract/index.js'
import type {ErrorEntry, Retry} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {defined} from '../../values/defined.js'
import {placeIn} from '../../values/place.js'
import type {PlannedRow} from '../rows/cut-sets.js'
import type {Planned, RowOutcome} from '../rows/phases.js'
import {createResolver, textOf, valueAt} from '../rows/pointers.js'
import {nameOf, operationOfSet} from '../rows/row-content.js'
import {exitOfRefusal, type RefusedRow} from './report.js'
import {
  describeSet,
  justFates,
  linesOf,
  outcomesOf,
  rolledBackWith,
  rowsOf,
  type SetContext,
  type SetFates,
} from './set-fates.js'

type Refused = Extract<WriteAnswer, {fate: 'refused'}>

/**
 * The rows that the service blames are refused and the others were rolled back with them. When no pointer finds a row,
 * none can be shown to be blameless, and all are refused. Pointers that match nothing stay in the table. Rows that are
 * sent again have their fate elsewhere; a refusal after which all of them are is only a step on the way.
 */
export function foldRefused({status, refusals}: Refused, context: SetContext): SetFates {
  const {set, again} = context
  if (again?.size === set.places.length) return justFates(set.places.map(() => undefined))

  const rows = withoutFlood(placeRefusals(refusals, context))
  const blamed = new Map<number, PlacedRow>()
  for (const row of rows) if (row.place !== undefined && !blamed.has(row.place)) blamed.set(row.place, row)
  const outcomes = blamed.size > 0 ? blame(blamed, context) : outcomesOf('refused', context, wordsOfSet(refusals[0]))
  return {
    outcomes: outcomes.map((outcome, index) => (again?.has(set.places[index] ?? -1) ? undefined : outcome)),
    refusals: rows.map(({place: _, ...row}) => row),
    notes: [],
    entries: rows.map((row) => toEntry(row, status, context)),
  }
}

/** The code of a row of a refused set in which no row is named. */
export const setRefused = 'SET_REFUSED'

/** For rows among which those to blame cannot be found. */
function wordsOfSet(refusal: RefusalEntry | undefined): {code: string; message: string} {
  const {code = '', message = ''} = refusal ?? {}
  return {code: setRefused, message: `${code} ${message}`.trim()}
}

function blame(blamed: ReadonlyMap<number, PlacedRow>, context: SetContext): RowOutcome[] {
  const [first] = blamed.values()
  const rolledBack = rolledBackWith(first?.code)
  return rowsOf(context).map(({line}, index): RowOutcome => {
    const refusal = blamed.get(context.set.places[index] ?? -1)
    if (!refusal) return {line, fate: 'rolledBack', ...rolledBack}
    const {code, message, column} = refusal
    return {line, fate: 'refused', code, message, column}
  })
}

/** A line of the table with the place of its row in the plan, which a line number is not: a file may be one line. */
type PlacedRow = RefusedRow & {place?: number}

/** One line for each row that a pointer finds, one for each pointer that finds none, one for a refusal without any. */
function placeRefusals(refusals: readonly RefusalEntry[], context: SetContext): PlacedRow[] {
  const {operation, plan, set} = context
  const rows = rowsOf(context)
  const lines = linesOf(context)
  const resolve = createResolver(
    operation,
    rows.map(({record}) => record),
  )
  return refusals.flatMap((refusal) => {
    const {code, message, pointerName, pointers} = refusal
    const common = {file: plan.file, code, message, set: set.number, ...defined({pointerName})}
    if (pointers.length === 0) return [{...common, ...placeOnly(rows, refusal, context)}]
    return resolve(refusal).flatMap((resolved): PlacedRow[] => {
      const {pointer, indexes} = resolved
      if (indexes.length === 0) return [{...common, pointer, ...placeOnly(rows, refusal, context), lines}]
      return indexes.map((index) => {
        const field = findField(refusal, resolved.field, plan, rows[index])
        return {...common, pointer, ...placeRow(index, rows, field, context)}
      })
    })
  })
}

/** Pointers that match no row are of little use, and a service may send any number of them. */
const mostUnmatched = 100

function withoutFlood(rows: PlacedRow[]): PlacedRow[] {
  let unmatched = 0
  const kept = rows.filter(({lines, pointer}) => !lines || pointer === undefined || ++unmatched <= mostUnmatched)
  const [first] = kept
  if (!first || kept.length === rows.length) return kept
  const {file, code, set} = first
  const message = `${counted(rows.length - kept.length, 'further pointer')} without a matching row`
  return [...kept, {file, code, set, message}]
}

/** The row of a set of one, for there is no other to blame; else the lines of the set. */
function placeOnly(rows: readonly PlannedRow[], refusal: RefusalEntry, context: SetContext): Partial<PlacedRow> {
  return rows.length === 1
    ? placeRow(0, rows, findField(refusal, undefined, context.plan, rows[0]), context)
    : {lines: linesOf(context)}
}

/**
 * The field that a refusal is about: one that its pointer names, other than the id of the record; the one that its code
 * is always about; or the one that its message names. A field that the file has goes first.
 */
function findField(
  {code, message}: RefusalEntry,
  pointed: string | undefined,
  {columns}: Planned,
  row: PlannedRow | undefined,
): string | undefined {
  const known = findRefusal(code)?.field ?? findNamed(message, row)
  const fields = (pointed === 'id' ? [known, pointed] : [pointed, known]).filter((field) => field !== undefined)
  return fields.find((field) => columns.has(field)) ?? fields[0]
}

/** The only field of the record that the message names, other than its id. */
function findNamed(message: string, row: PlannedRow | undefined): string | undefined {
  const words = new Set(message.split(/[^\w.]+|\.(?!\w)/))
  const [field, other] = Object.keys(row?.record ?? {}).filter((name) => name !== 'id' && words.has(name))
  return other === undefined ? field : undefined
}

function placeRow(
  index: number,
  rows: readonly PlannedRow[],
  field: string | undefined,
  {plan, set}: SetContext,
): Partial<PlacedRow> {
  const row = rows[index]
  const place = set.places[index]
  if (!row || place === undefined) return {}
  const column = field === undefined ? undefined : plan.columns.get(field)
  const cell = field === undefined ? undefined : textOf(valueAt(row.record, field))
  const isOnSameLine = place > 0 && plan.rows.at(place - 1)?.line === row.line // of a JSON array, as its check counts
  return {
    ...placeIn(plan, row.line),
    ...(isOnSameLine && {row: place + 1}),
    place,
    ...nameOf(row.record),
    ...defined({column, columnName: field, cell}),
  }
}

function toEntry(row: RefusedRow, status: number, context: SetContext): ErrorEntry {
  const {file, sheet, line, row: rowNumber, column, code, message, pointer, pointerName, lines} = row
  const known = findRefusal(code)
  const where =
    pointer === undefined
      ? describeSet(context)
      : `pointer ${JSON.stringify(pointer)} matches no row of ${describeSet(context)}`
  return {
    code: toForeignCode(code),
    message: lines ? `${message} (${where})` : message,
    exit: exitCodeOf(exitOfRefusal(status)).code,
    file,
    ...defined({
      sheet,
      line,
      row: rowNumber,
      column,
      pointerName,
      pointers: pointer === undefined ? undefined : [pointer],
    }),
    changed: known?.changed ?? 'none',
    retry: known ? retryOf(known) : 'after-fix',
    ...(known && {hint: known.hint.replace(/(?<= contract show)$/, ` ${operationOfSet(context.plan, context.set)}`)}),
  }
}

function retryOf({again}: Refusal): Retry {
  if (again === 'never') return 'after-fix'
  return again === 'afterReconcile' ? 'reconcile-first' : 'safe'
}
