import {basename} from 'node:path'
import type {WriteAnswer} from '../../client/types.js'
import {writeOperation} from '../../contract/index.js'
import {bootMoment} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {RunFolder} from '../../core/run-id.js'
import {defined} from '../../values/defined.js'
import {printJson} from '../../values/json.js'
import {type PlannedSet, recordsOfSet} from '../rows/cut-sets.js'
import type {Agreed, Batch, Before} from '../rows/phases.js'
import {contentDigest, digestOfRows, naturalKeyOf, sendsLive, toBody} from '../rows/row-content.js'
import type {Journal} from './journal.js'
import {type JournalRow, type NewPart, type PartState, type RunFacts, toAnswerText} from './journal-entries.js'
import {createJournal} from './open-journal.js'

/** Record of the sets of a run while it sends them. Every method throws a `CliFailure` (storage) if it cannot write. */
export type SetJournal = ReturnType<typeof createSetJournal>

/** Makes the journal of a run that is about to begin; everything of the plan is durable when this returns. */
export function beginJournal(
  folder: RunFolder,
  {plan, before}: {plan: Agreed; before: Before | null},
  facts: RunFacts,
): {journal: Journal; sets: SetJournal} {
  const content = digestOfRows(plan)
  const {journal, seqs} = createJournal(
    folder,
    {...facts, ...defined({content})},
    {rows: toJournalRows(plan), parts: toNewParts(plan), preimages: printPreimages(before?.records)},
  )
  const known = plan.sets.map((set, index): [PlannedSet, number] => [set, seqs[index] ?? 0])
  return {journal, sets: createSetJournal(journal, plan, known)}
}

/** Keeps what happens to sets that the journal knows by number. */
export function createSetJournal(
  journal: Journal,
  plan: Pick<Batch, 'operation' | 'rows'>,
  known: Iterable<[PlannedSet, number]>,
) {
  const seqs = new Map(known)
  const seqOf = (set: PlannedSet) => {
    const seq = seqs.get(set)
    if (seq === undefined) throw new TypeError('a set that the journal does not know')
    return seq
  }
  const addParts = (set: PlannedSet, parts: readonly PlannedSet[]) => {
    for (const part of parts) seqs.set(part, journal.addPart(toNewPart(plan, part, seqOf(set))))
  }

  return {
    /** The exact body of a set. */
    bodyOf: (set: PlannedSet) => journal.bodyOf(seqOf(set)),
    /** To be called before the first byte leaves; `body`: what leaves, where it is not the one that was kept. */
    sending: (set: PlannedSet, body?: string) => journal.markSent(seqOf(set), body),
    /** Keeps what came of a set, and the parts of it that follow; when this throws, the set stays in doubt. */
    answered(set: PlannedSet, answer: WriteAnswer, parts: readonly PlannedSet[]): void {
      if (isUnwritten(answer) && !journal.isMarked(seqOf(set))) return
      const doubt = answer.fate === 'inDoubt' ? {doubt: bootMoment()} : {}
      const change = {...stateAfter(answer), answer: toAnswerText(answer), ...doubt}
      try {
        journal.keep(() => {
          journal.change(seqOf(set), change)
          addParts(set, parts)
        })
      } catch (error) {
        throw notRecorded(journal, change, error as CliFailure)
      }
    },
    /** A set that is sent in parts. */
    cut: (set: PlannedSet, parts: readonly PlannedSet[]) =>
      journal.transaction(() => {
        journal.change(seqOf(set), {state: 'closed', why: 'too large for the service, sent in halves'})
        addParts(set, parts)
      }),
  }
}

/** The journal could not be written before the set left; unless an earlier try was throttled, it is recorded as it was. */
function isUnwritten(answer: WriteAnswer): boolean {
  return answer.fate === 'unsent' && answer.failure instanceof CliFailure && answer.failure.exit === 'storage'
}

function stateAfter(answer: WriteAnswer): {state: PartState; how?: 'answer'; why: string} {
  if (answer.fate === 'applied') return {state: 'confirmed', how: 'answer', why: 'the service answered that it is done'}
  if (answer.fate === 'refused')
    return {
      state: 'rejected',
      how: 'answer',
      why: `answered ${answer.status} ${answer.refusals[0]?.code ?? ''}`.trim(),
    }
  if (answer.fate === 'inDoubt') return {state: 'inDoubt', why: answer.why}
  return {state: 'planned', why: `not sent: ${answer.failure.message}`}
}

/** An answer that the journal could not take is reported; the set is in doubt there, until its records are read back. */
function notRecorded(
  {path}: Journal,
  {state, answer}: {state: PartState; answer: string},
  cause: CliFailure,
): CliFailure {
  const run = basename(path, '.run')
  return new CliFailure(`${cause.message}. This set ${outcomes[state]}, but the answer was not recorded: ${answer}`, {
    code: 'JOURNAL_LOST',
    changed: state === 'confirmed' ? 'some' : state === 'inDoubt' ? 'unknown' : 'none',
    retry: 'reconcile-first',
    hints: [...cause.hints, `Then find out about the set from the service: ${commandLine('runs reconcile', [run])}`],
    cause,
  })
}

const outcomes: Record<PartState, string> = {
  confirmed: 'was applied',
  rejected: 'was refused',
  inDoubt: 'is in doubt',
  sent: 'is in doubt',
  planned: 'was not sent',
  closed: 'is closed',
}

function* toJournalRows({operation, rows}: Pick<Batch, 'operation' | 'rows'>): Generator<JournalRow, void, void> {
  let place = 0
  for (const {line, record, skip, digest, given, by, madeId} of rows) {
    // a row that is in no set is in no body, and a body may have values that the row does not give
    const kept = given ?? (skip === undefined && !sendsLive(operation) ? undefined : record)
    const id = record[writeOperation(operation).target] ?? madeId
    yield {
      place: place++,
      line,
      digest: digest ?? contentDigest(given ?? record),
      naturalKey: naturalKeyOf(operation, record),
      id: id === undefined ? null : printJson(id),
      skip: skip ?? null,
      given: kept ? printJson(kept) : null,
      by: by ?? null,
    }
  }
}

/** Bodies are made one by one: only one of them is in memory. */
function* toNewParts(plan: Agreed): Generator<NewPart, void, void> {
  for (const set of plan.sets) yield toNewPart(plan, set, null)
}

/** A set as the journal keeps it; `parent` is the number of the set that it is a part of. */
export function toNewPart(
  {operation, rows}: Pick<Batch, 'operation' | 'rows'>,
  set: PlannedSet,
  parent: number | null,
): NewPart {
  const {number, places, canary, part} = set
  const body = toBody(operation, recordsOfSet(rows, set))
  const origin = JSON.stringify({...(canary && {canary}), ...(part && {part})})
  return {parent, number, places, origin, body}
}

/** Records before a write, as the journal keeps them. */
export function* printPreimages(records: Before['records'] = new Map()): Generator<[string, string], void, void> {
  for (const [key, record] of records) yield [key, printJson(record)]
}
