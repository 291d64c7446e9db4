import {toWriteBody} from '../../client/request.js'
import type {WriteAnswer} from '../../client/types.js'
import {writeOperation} from '../../contract/index.js'
import {toAnswerText} from '../journal/journal-answer.js'
import type {JournalPart} from '../journal/journal-entries.js'
import type {LoadedPart} from '../journal/load-run.js'
import type {Evidence} from '../journal/run-facts.js'
import {rowsOfSet} from '../rows/cut-sets.js'
import {naturalKeyOf} from '../rows/row-content.js'
import {toSent} from '../rows/to-sent.js'
import {countRecords, type Judgement} from './judgement.js'
import {findDuplicates, mayResend, type Refused, sendAgain, takeNoAnswer} from './resend.js'
import {confirm, note, reject, rejectAsAnswered, type SetInDoubt, toPart, wasAnswered} from './set-in-doubt.js'

type Open = Pick<Extract<Judgement, {kind: 'open'}>, 'open' | 'seen'>

/**
 * Sends the records of a set again that have not reached their end state. That is harmless and decisive: one that has
 * reached it meanwhile is refused, and then left out.
 */
export async function sendRest(context: SetInDoubt, {open, seen}: Open): Promise<void> {
  const {entry, options} = context
  const size = entry.set.places.length
  if (open.length === size && seen && wasAnswered(context)) return rejectAsAnswered(context)
  if (options.dryRun) return void mayResend(context, false, open)
  let rest = open.length < size ? split(context, open, 'probe') : context
  if (!mayResend(rest, false)) return
  for (;;) {
    const answer = await sendAgain(rest)
    const reached = answer.fate === 'refused' ? reachedOf(rest, answer) : undefined
    if (reached === undefined || neverExisted(rest, reached)) return finish(rest, answer)
    const left = [...rest.entry.set.places.keys()].filter((index) => !reached.has(index))
    note(rest, `${describe(reached.size, rest)} already`)
    if (left.length === 0) return confirm(rest, [], 'resend', 'all of them were done already')
    rest = split(rest, left, 'resend')
    if (options.signal?.aborted) return
  }
}

/** The places of the records that the service refuses because they have reached their end state. */
function reachedOf({operation, run, entry}: SetInDoubt, answer: Refused): Set<number> | undefined {
  const reached = findDuplicates(operation, answer, rowsOfSet(run.plan.rows, entry.set))
  return reached?.size === 0 ? undefined : reached
}

/** Whether one of the records that the service does not have was not there before the run either. */
function neverExisted(context: SetInDoubt, indexes: ReadonlySet<number>): boolean {
  const {operation, records, preimages} = context
  if (writeOperation(operation).probe.kind !== 'gone') return false
  return [...indexes].some((index) => !preimages.has(naturalKeyOf(operation, records[index] ?? {}) ?? ''))
}

/** `7 alerts cleared` */
function describe(count: number, {operation}: SetInDoubt): string {
  const write = writeOperation(operation)
  return `${countRecords(count, write)} ${write.deletes === 'all' ? 'deleted' : (write.endState?.done ?? 'done')}`
}

function finish(context: SetInDoubt, answer: WriteAnswer): void {
  const size = context.entry.set.places.length
  if (answer.fate === 'applied') {
    note(context, `${describe(size, context)} now`)
    confirm(context, [], 'resend', 'sent again and answered that it is done')
  } else if (answer.fate === 'refused') {
    note(
      context,
      `${countRecords(size, writeOperation(context.operation))}: refused, ${answer.status} ${answer.refusals[0]?.code ?? ''}`.trimEnd(),
    )
    reject(context, answer, 'resend', 'sent again and refused')
  } else takeNoAnswer(context, answer)
}

/** Cuts a set into what is done and what is open, each a part of its own from now on; returns what is open. */
function split(context: SetInDoubt, open: readonly number[], how: Evidence): SetInDoubt {
  const {journal, entry} = context
  const places = (isOpen: boolean) => entry.set.places.filter((_, index) => open.includes(index) === isOpen)
  const [done, rest] = [toNewPart(context, places(false), 'done'), toNewPart(context, places(true), 'open')]
  const seqs = journal.keep(() => {
    const why = `${done.places.length} done already, the others are sent alone`
    journal.change(entry.part.seq, {state: 'closed', how, why})
    const ended = journal.addPart(done)
    const answer = toAnswerText({fate: 'applied', ids: [], records: []})
    journal.change(ended, {state: 'confirmed', answer, how, why: 'done already'})
    const seq = journal.addPart(rest)
    const since = entry.part.doubt ?? entry.part.sent
    const doubt = toAnswerText({fate: 'inDoubt', why: 'a part of a set in doubt', refusals: []})
    journal.change(seq, {state: 'inDoubt', answer: doubt, ...(since && {doubt: since}), why: 'still open'})
    return {seq}
  })
  return toPart(context, toEntry(journal.parts(), seqs.seq, context))
}

function toNewPart({run, operation, entry}: SetInDoubt, places: number[], kind: 'done' | 'open') {
  const records = rowsOfSet(run.plan.rows, {...entry.set, places}).map(({record}) => record)
  const body = toWriteBody(toSent(operation, records))
  return {
    parent: entry.part.seq,
    number: entry.set.number,
    places,
    origin: JSON.stringify({part: {kind}}),
    body,
  }
}

function toEntry(parts: readonly JournalPart[], seq: number, {entry}: SetInDoubt): LoadedPart {
  const part = parts.find((one) => one.seq === seq)
  return part ? {part, set: {number: part.number, places: part.places, part: {kind: 'open'}}} : entry
}
