import type {RefusalEntry, WriteAnswer} from '../client/types.js'
import {exitCodeOf, findRefusal, type Refusal} from '../contract/index.js'
import type {ErrorEntry, Retry} from '../errors.js'
import {exitOfRefusal} from './exit-of-run.js'
import {type Resolved, resolvePointers, textOf, valueAt} from './pointers.js'
import type {RefusedRow, RowOutcome} from './report.js'
import {describeSet, linesOf, outcomesOf, rowsOf, type SetContext, type SetFates} from './set-fates.js'

type Refused = Extract<WriteAnswer, {fate: 'refused'}>

/**
 * The rows that the service blames are refused and the others were rolled back with them. When no pointer finds a row,
 * none can be shown to be blameless, and all are refused. Pointers that match nothing stay in the table.
 */
export function foldRefused({status, refusals}: Refused, context: SetContext): SetFates {
  const rows = refusals.flatMap((refusal) => placeRefusal(refusal, context))
  const blamed = new Map<number, RefusedRow>()
  for (const row of rows) if (row.line !== undefined && !blamed.has(row.line)) blamed.set(row.line, row)
  return {
    outcomes: blamed.size > 0 ? blame(blamed, context) : outcomesOf('refused', context, words(refusals[0])),
    refusals: rows,
    entries: rows.map((row) => toEntry(row, status, context)),
  }
}

function words(refusal: RefusalEntry | undefined): {code?: string; message?: string} {
  return refusal ? {code: refusal.code, message: refusal.message} : {}
}

function blame(blamed: ReadonlyMap<number, RefusedRow>, context: SetContext): RowOutcome[] {
  return rowsOf(context).map(({line}): RowOutcome => {
    const refusal = blamed.get(line)
    if (!refusal) return {line, fate: 'rolledBack'}
    const {code, message, column} = refusal
    return {line, fate: 'refused', code, message, ...(column !== undefined && {column})}
  })
}

/** One line for each row that a pointer finds, one for each pointer that finds none, one for a refusal without any. */
function placeRefusal(refusal: RefusalEntry, context: SetContext): RefusedRow[] {
  const {operation, plan, set} = context
  const {code, message, pointerName} = refusal
  const common = {file: plan.file, code, message, set: set.number, ...(pointerName !== undefined && {pointerName})}
  if (refusal.pointers.length === 0) return [{...common, lines: linesOf(context)}]
  const records = rowsOf(context).map(({record}) => record)
  const {resource, naturalKey} = operation
  return resolvePointers(refusal, {records, resource, naturalKey}).flatMap((resolved): RefusedRow[] => {
    const {pointer, indexes} = resolved
    if (indexes.length === 0) return [{...common, pointer, lines: linesOf(context)}]
    return indexes.map((index) => ({...common, pointer, ...placeRow(index, resolved, context)}))
  })
}

function placeRow(index: number, {field}: Resolved, context: SetContext): Partial<RefusedRow> {
  const row = rowsOf(context)[index]
  const column = field === undefined ? undefined : context.plan.columns.get(field)
  const cell = field === undefined || !row ? undefined : textOf(valueAt(row.record, field))
  return {
    ...(row && {line: row.line}),
    ...(column !== undefined && {column}),
    ...(field !== undefined && {columnName: field}),
    ...(cell !== undefined && {cell}),
  }
}

function toEntry(row: RefusedRow, status: number, context: SetContext): ErrorEntry {
  const {file, line, column, code, message, pointer, pointerName, lines} = row
  const known = findRefusal(code)
  const where =
    pointer === undefined
      ? describeSet(context)
      : `pointer ${JSON.stringify(pointer)} matches no row of ${describeSet(context)}`
  return {
    code,
    message: lines ? `${message} (${where})` : message,
    exit: exitCodeOf(exitOfRefusal(status)).code,
    file,
    ...(line !== undefined && {line}),
    ...(column !== undefined && {column}),
    ...(pointerName !== undefined && {pointerName}),
    ...(pointer !== undefined && {pointers: [pointer]}),
    changed: known?.changed ?? 'none',
    retry: known ? retryOf(known) : 'after-fix',
    ...(known && {hint: known.hint}),
  }
}

function retryOf({again}: Refusal): Retry {
  if (again === 'never') return 'after-fix'
  return again === 'afterReconcile' ? 'reconcile-first' : 'safe'
}
