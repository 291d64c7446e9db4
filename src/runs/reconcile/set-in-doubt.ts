import type {WriteAnswer} from '../../client/types.js'
import {type WriteId, writeOperation} from '../../contract/index.js'
import type {BootMoment} from '../../core/clock.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {Journal} from '../journal/journal.js'
import {type Evidence, type JournalPart, toAnswerText} from '../journal/journal-entries.js'
import {answerOf, type LoadedPart, type LoadedRun, noAnswer, recordsOf} from '../journal/load-run.js'
import {toNewPart} from '../journal/run-journal.js'
import type {PlannedSet} from '../rows/cut-sets.js'
import {defaultBisectBudget, type OnError} from '../rows/on-error.js'
import {afterAnswer} from '../send/send-set.js'
import type {ReconciledFate, ReconciledSet, ReconcileOptions, RowFinding} from './judgement.js'

/** One set in doubt while it is reconciled. */
export type SetInDoubt = {
  journal: Journal
  run: LoadedRun
  operation: WriteId
  entry: LoadedPart
  records: JsonRecord[]
  options: ReconcileOptions
  preimages: ReadonlyMap<string, string>
  /** Other sets that are in doubt now. */
  others: readonly LoadedPart[]
  /** Tells records of which the service keeps only one in force; read once. */
  onlyOne: () => Promise<(record: JsonRecord) => boolean>
  report: ReconciledSet
}

/** The answer that left the set in doubt, from the journal. */
function doubtOf({entry}: SetInDoubt): Extract<WriteAnswer, {fate: 'inDoubt'}> {
  const answer = answerOf(entry.part)
  return answer.fate === 'inDoubt' ? answer : {fate: 'inDoubt', why: noAnswer, refusals: []}
}

/** No request takes longer, so that a program which died in it was surely in doubt by then. */
const longestRequestMilliseconds = 60_000

/** When the doubt about a set began; undefined where it was never sent. */
export function doubtSince({doubt, sent}: Pick<JournalPart, 'doubt' | 'sent'>): BootMoment | undefined {
  return doubt ?? (sent ? {...sent, milliseconds: sent.milliseconds + longestRequestMilliseconds} : undefined)
}

/** Whether the service itself ended the request, so that nothing of it can arrive late. */
export function wasAnswered(context: SetInDoubt): boolean {
  return doubtOf(context).refusals.some(({code}) => code === 'UNEXPECTED_RESULT_COUNT')
}

export function note({report}: SetInDoubt, sentence: string): void {
  report.evidence.push(sentence)
}

export function confirm(context: SetInDoubt, ids: JsonValue[], how: Evidence, why: string): void {
  const answer = toAnswerText({fate: 'applied', ids, records: []})
  settleAs(context, 'applied', {state: 'confirmed', answer, how, why})
}

/** A set that was refused when it was sent again is cut as the run cuts refused sets; its parts are left to be sent. */
export function reject(
  context: SetInDoubt,
  answer: Extract<WriteAnswer, {fate: 'refused'}>,
  how: Evidence,
  why: string,
): void {
  const parts = how === 'resend' ? partsAfter(answer, context) : []
  settleAs(context, 'refused', {state: 'rejected', answer: toAnswerText(answer), how, why}, parts)
  const left = parts.reduce((sum, {places}) => sum + places.length, 0)
  if (left > 0) note(context, `${counted(left, 'row')} of it will be sent without those that were refused`)
}

function partsAfter(answer: WriteAnswer, {run, operation, entry}: SetInDoubt): PlannedSet[] {
  const {onError = 'stop', atomic, bisectBudget} = run.facts.options
  const budgetLeft = typeof bisectBudget === 'number' ? bisectBudget : defaultBisectBudget
  const known = {rows: run.plan.rows, operation: writeOperation(operation), budgetLeft}
  return afterAnswer(answer, entry.set, {...known, onError: onError as OnError, atomic: atomic === true}).parts
}

/** The service itself answered that it did less than was asked, and nothing of it is there. */
export function rejectAsAnswered(context: SetInDoubt): void {
  const {refusals, status = 400} = doubtOf(context)
  note(context, `answered ${status} ${refusals[0]?.code ?? ''}, and nothing of it was done`)
  reject(context, {fate: 'refused', status, refusals}, 'probe', 'nothing of it was done')
}

/** Proven to be applied nowhere: the rows may be sent. */
export function release(context: SetInDoubt, how: Evidence, why: string): void {
  settleAs(context, 'notApplied', {state: 'planned', how, why})
}

/** The set is in doubt as it was before; what was read stays in the events of the journal. */
export function leave(context: SetInDoubt, rows: readonly RowFinding[] = []): void {
  const {report, journal, entry, run, options} = context
  const lines = entry.set.places.map((place) => run.plan.rows.at(place)?.line ?? 0)
  report.fate = 'inDoubt'
  report.unclear = rows.map(({index, id = null}) => ({line: lines[index] ?? 0, id}))
  report.differences = rows.flatMap(({index, id = null, fields = []}) =>
    fields.map((field) => ({line: lines[index] ?? 0, id, ...field})),
  )
  if (options.dryRun) return
  const why = report.evidence.at(-1) ?? ''
  journal.keep(() => journal.note(entry.part.seq, entry.part.state, 'inDoubt', why))
}

/** The set is in doubt from now on. */
export function doubtAgain({journal, entry, options, report}: SetInDoubt, answer: WriteAnswer, why: string): void {
  report.fate = 'inDoubt'
  const change = {state: 'inDoubt', answer: toAnswerText(answer), doubt: options.moment(), why} as const
  journal.keep(() => journal.change(entry.part.seq, change))
}

/** The set is in doubt since it first was: what was sent after that changed nothing. */
export function restore(context: SetInDoubt, why: string): void {
  const {journal, entry, report} = context
  const since = doubtSince(entry.part)
  report.fate = 'inDoubt'
  const answer = toAnswerText(doubtOf(context))
  journal.keep(() => journal.change(entry.part.seq, {state: 'inDoubt', answer, ...(since && {doubt: since}), why}))
}

type Change = Parameters<Journal['change']>[1]

function settleAs(context: SetInDoubt, fate: ReconciledFate, change: Change, parts: readonly PlannedSet[] = []): void {
  const {journal, run, entry, report, options} = context
  const {seq} = entry.part
  report.fate = fate
  report.how = change.how ?? null
  if (options.dryRun) return
  journal.keep(() => {
    journal.change(seq, change)
    for (const part of parts) journal.addPart(toNewPart(run.plan, part, seq))
  })
}

/** A part of the set that the journal keeps on its own, to be settled alone. */
export function toPart(context: SetInDoubt, entry: LoadedPart): SetInDoubt {
  return {...context, entry, records: recordsOf(context.operation, context.journal.bodyOf(entry.part.seq))}
}

export function allRows({entry}: SetInDoubt): RowFinding[] {
  return entry.set.places.map((_, index) => ({index}))
}
