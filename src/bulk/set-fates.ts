import type {WriteAnswer} from '../client/types.js'
import {exitCodeOf, findOperation, type Write} from '../contract/index.js'
import {CliFailure, type ErrorEntry, toEntries} from '../errors.js'
import {type PlannedRow, type PlannedSet, rowsOfSet} from './cut-sets.js'
import type {Fate} from './fates.js'
import type {Plan} from './plan-file.js'
import type {RefusedRow, RowOutcome} from './report.js'

/** What became of the rows of one set. */
export type SetFates = {outcomes: RowOutcome[]; refusals: RefusedRow[]; entries: ErrorEntry[]}

export type SetContext = {plan: Plan; set: PlannedSet; operation: Write}

type Applied = Extract<WriteAnswer, {fate: 'applied'}>
type InDoubt = Extract<WriteAnswer, {fate: 'inDoubt'}>

export function rowsOf({plan, set}: SetContext): readonly PlannedRow[] {
  return rowsOfSet(plan.rows, set)
}

/** An answer that names more or fewer ids than records were sent proves nothing about any single row. */
export function foldApplied({ids}: Applied, context: SetContext): SetFates {
  const rows = rowsOf(context)
  if (context.operation.answers === 'ids' && ids.length !== rows.length) {
    const why = `the service answered ${ids.length} ids for ${rows.length} records`
    return foldInDoubt({fate: 'inDoubt', why, refusals: []}, context)
  }

  const outcomes = rows.map(({line}, index): RowOutcome => {
    const id = ids[index]
    return {line, fate: 'applied', ...(id !== undefined && {id})}
  })
  return {outcomes, refusals: [], entries: []}
}

export function foldInDoubt({why, refusals}: InDoubt, context: SetContext): SetFates {
  const [first] = refusals
  const code = first?.code ?? 'IN_DOUBT'
  const message = first && !why.includes(first.message) ? `${why}: ${first.message}` : why
  const entry: ErrorEntry = {
    code,
    message: `${describeSet(context)}: in doubt: ${message}`,
    exit: exitCodeOf('inDoubt').code,
    file: context.plan.file,
    changed: 'unknown',
    retry: 'reconcile-first',
    hint: hintOf(context.operation),
  }

  return {outcomes: outcomesOf('inDoubt', context, {code, message}), refusals: [], entries: [entry]}
}

/** Nothing of the set was done, and `failure` says why. */
export function foldUnsent(failure: Error, context: SetContext): SetFates {
  const known = failure instanceof CliFailure ? failure : unexpected(failure)
  const entries = toEntries(known).map((entry) => ({file: context.plan.file, ...entry}))
  return {outcomes: outcomesOf('unsent', context, {code: known.code, message: known.message}), refusals: [], entries}
}

function unexpected({message}: Error): CliFailure {
  return new CliFailure(message, {code: 'NOT_SENT', exit: 'failure', retry: 'safe'})
}

export function outcomesOf(fate: Fate, context: SetContext, words: {code?: string; message?: string} = {}) {
  return rowsOf(context).map(({line}): RowOutcome => ({line, fate, ...words}))
}

/** `set 2 of 3 (500 rows, lines 502 to 1001)` */
export function describeSet(context: SetContext): string {
  const {plan, set} = context
  const [first, last] = linesOf(context)
  const count = rowsOf(context).length
  const where = count === 1 ? `1 row, line ${first}` : `${count} rows, lines ${first} to ${last}`
  return `set ${set.number} of ${plan.sets.length} (${where})`
}

/** Lines of the first and last row of the set. */
export function linesOf({plan, set}: SetContext): [number, number] {
  return [plan.rows[set.start]?.line ?? 0, plan.rows[set.end - 1]?.line ?? 0]
}

function hintOf({reconcile}: Write): string {
  const probe = findOperation(reconcile.probe)
  return probe
    ? `Do not send these rows again before you have looked for them: vendorctl ${probe.command}`
    : 'Send these rows again: a record that exists already is refused, so that none is doubled.'
}
