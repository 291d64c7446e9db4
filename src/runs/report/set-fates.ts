import type {WriteAnswer} from '../../client/types.js'
import {toForeignCode} from '../../contract/failure-codes.js'
import {exitCodeOf, readOperation, type Write} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, toEntries} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {printJson} from '../../values/json.js'
import {placeIn, spanText} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {type PlannedRow, type PlannedSet, rowsOfSet} from '../rows/cut-sets.js'
import type {Fate, NotTried, Planned, RowOutcome} from '../rows/phases.js'
import {idOf} from '../rows/row-content.js'
import type {RefusedRow, SetNote} from './report.js'

/** Fates of the rows of one set. */
export type SetFates = {
  /** One for each row of the set; undefined where a later result has it. */
  outcomes: (RowOutcome | undefined)[]
  refusals: RefusedRow[]
  notes: SetNote[]
  entries: ErrorEntry[]
}

export type SetContext = {
  plan: Planned
  set: PlannedSet
  operation: Write
  /** Name of the run in the journal, where it has one. */
  runId?: string | undefined
  /** Places of the rows that are sent again. */
  again?: ReadonlySet<number> | undefined
}

type Applied = Extract<WriteAnswer, {fate: 'applied'}>
type InDoubt = Extract<WriteAnswer, {fate: 'inDoubt'}>

export function rowsOf({plan, set}: SetContext): readonly PlannedRow[] {
  return rowsOfSet(plan.rows, set)
}

export function foldApplied({ids, now}: Applied, context: SetContext): SetFates {
  const {difference} = context.operation
  const outcomes = rowsOf(context).map(({line}, index): RowOutcome => {
    const [id, value] = [ids[index], now?.[index]]
    const message = difference && value !== undefined ? `${difference.field} is now ${printJson(value)}` : undefined
    return {line, fate: 'applied', id, message}
  })
  return justFates(outcomes)
}

/** Fates of which there is nothing else to say. */
export function justFates(outcomes: SetFates['outcomes']): SetFates {
  return {outcomes, refusals: [], notes: [], entries: []}
}

export function foldInDoubt({why, refusals}: InDoubt, context: SetContext): SetFates {
  const [first] = refusals
  const code = first?.code ?? 'IN_DOUBT'
  const message = first && !why.includes(first.message) ? `${why}: ${first.message}` : why
  return withNote(context, outcomesOf('inDoubt', context, {code, message}), {
    code: toForeignCode(code),
    message: `${describeSet(context)}: in doubt: ${message}`,
    exit: exitCodeOf('inDoubt').code,
    changed: 'unknown',
    retry: 'reconcile-first',
    hint: hintOf(context),
  })
}

/** Nothing of the set was done, and `failure` says why. */
export function foldUnsent(failure: Error, context: SetContext): SetFates {
  const known = failure instanceof CliFailure ? failure : unexpected(failure)
  const outcomes = outcomesOf('unsent', context, {code: known.code, message: known.message})
  const [first, ...more] = toEntries(known)
  const reason = [known.message, ...more.map(({message}) => message)].join(' ')
  return withNote(context, outcomes, {
    ...(first ?? {code: known.code, exit: known.exitCode, changed: 'none', retry: known.retry}),
    message: `${describeSet(context)}: not sent: ${reason}`,
  })
}

/** The journal could not take an answer of the service. */
export function foldUnrecorded(failure: CliFailure, context: SetContext): SetFates {
  const [first] = toEntries(failure)
  return withNote(context, [], {
    ...(first ?? {code: failure.code, exit: failure.exitCode, changed: failure.changed, retry: failure.retry}),
    message: `${describeSet(context)}: ${failure.message}`,
  })
}

function unexpected({message}: Error): CliFailure {
  return new CliFailure(message, {code: 'NOT_SENT', exit: 'failure', retry: 'safe'})
}

/** Why a set was not tried whose first rows (`--canary`) did not go through. */
export const keptBack = 'the canary was not applied'

const reasons = {
  stopped: {code: 'NOT_SENT', message: 'the run had stopped'},
  canary: {code: 'NOT_SENT', message: keptBack},
} as const

/** A set that was not tried. */
export function foldNotTried({why}: NotTried, context: SetContext): SetFates {
  if (why === 'budget') return foldBudget(context)
  return justFates(outcomesOf('unsent', context, why && reasons[why]))
}

export function rolledBackWith(code: string | undefined): {code: string; message: string} {
  return {code: 'ROLLED_BACK', message: `correct, but rolled back with its set, which was refused: ${code ?? ''}`}
}

function foldBudget(context: SetContext): SetFates {
  const {code = '', message = ''} = context.set.part?.refusal ?? {}
  const reason = `refused with its set (${`${code} ${message}`.trim()}), and not sent alone: --bisect-budget is used up`
  return withNote(context, outcomesOf('unsent', context, {code: 'BISECT_BUDGET', message: reason}), {
    code: 'BISECT_BUDGET',
    message: `${describeSet(context)}: ${reason}`,
    exit: exitCodeOf('refused').code,
    changed: 'none',
    retry: 'safe',
    hint: 'Send these rows again with a larger --bisect-budget, or with a smaller --set-size.',
  })
}

function withNote(context: SetContext, outcomes: RowOutcome[], entry: Omit<ErrorEntry, 'file' | 'line'>): SetFates {
  const {file} = context.plan
  const [line, last] = linesOf(context)
  const {code, message} = entry
  return {
    ...justFates(outcomes),
    notes: [{file, lines: [line, last], code, message}],
    entries: [{...entry, ...placeIn(context.plan, line)}],
  }
}

export function outcomesOf(fate: Fate, context: SetContext, reason: {code?: string; message?: string} = {}) {
  return rowsOf(context).map(({line}): RowOutcome => ({line, fate, ...reason}))
}

/** `set 2 of 3 (500 rows, lines 502 to 1001)`; alerts that no file lists go by their ids. */
export function describeSet(context: SetContext): string {
  const {plan, set, operation} = context
  const isNamed = operation.body === 'none' && plan.reading === null
  const [first, last] = idsOf(context)
  const count = set.places.length
  const {noun, nouns} = operation.words
  const named = count === 1 ? `${noun} ${first}` : `${nouns} ${first} to ${last}`
  const where = isNamed ? named : spanText(plan, linesOf(context))
  return `${set.part ? 'part of ' : ''}set ${set.number} of ${plan.sets.length} (${counted(count, 'row')}, ${where})`
}

/** Ids of the first and last record of the set. */
function idsOf(context: SetContext): [string, string] {
  const rows = rowsOf(context)
  const [first, last] = [rows.at(0), rows.at(-1)]
  return [first ? idText(idOf(first, context.operation)) : '', last ? idText(idOf(last, context.operation)) : '']
}

/** Lines of the first and last row of the set. */
export function linesOf(context: SetContext): [number, number] {
  const rows = rowsOf(context)
  return [rows.at(0)?.line ?? 0, rows.at(-1)?.line ?? 0]
}

function hintOf({operation, runId}: SetContext): string {
  if (runId !== undefined)
    return `Do not send the rows in doubt again. Find out what became of them: ${commandLine('runs reconcile', [runId])}`
  const {probe} = operation
  return 'read' in probe
    ? `Do not send the rows in doubt again before you have looked for them: ${commandLine(readOperation(probe.read).command)}`
    : 'Send the rows in doubt again: a record that already exists is refused, so none is duplicated.'
}
