import {toWriteBody} from '../../client/request.js'
import type {WriteAnswer} from '../../client/types.js'
import {counted} from '../../values/counted.js'
import type {JournalPart} from '../journal/journal-entries.js'
import type {Evidence} from '../journal/run-facts.js'
import {rowsOfSet} from '../plan/cut-sets.js'
import type {LoadedPart} from '../resume/load-run.js'
import {toAnswerText} from '../send/journal-answer.js'
import {toSent} from '../send/to-sent.js'
import {findDuplicates} from './find-duplicates.js'
import type {Judgement} from './judgement.js'
import {mayResend, send, takeNoAnswer} from './resend.js'
import {confirm, reject, rejectAsAnswered, type SetInDoubt, say, toPart, wasAnswered} from './set-in-doubt.js'

type Open = Pick<Extract<Judgement, {kind: 'open'}>, 'open' | 'seen'>

/**
 * Clears the alerts of a set that are still open. That is harmless and decisive: an alert that is cleared already is
 * refused, and then left out.
 */
export async function clearRest(context: SetInDoubt, {open, seen}: Open): Promise<void> {
  const {entry, options} = context
  const size = entry.set.places.length
  if (open.length === size && seen && wasAnswered(context)) return rejectAsAnswered(context)
  if (!mayResend(context, false)) return
  let rest = open.length < size ? split(context, open, 'probe') : context
  for (;;) {
    const answer = await send(rest)
    const cleared = answer.fate === 'refused' ? clearedOf(rest, answer) : undefined
    if (cleared === undefined) return finish(rest, answer)
    const left = [...rest.entry.set.places.keys()].filter((index) => !cleared.has(index))
    say(rest, `${counted(cleared.size, 'alert')} cleared already`)
    if (left.length === 0) return confirm(rest, [], 'resend', 'all of them are cleared already')
    rest = split(rest, left, 'resend')
    if (options.signal?.aborted) return
  }
}

function clearedOf(
  {operation, run, entry}: SetInDoubt,
  answer: Extract<WriteAnswer, {fate: 'refused'}>,
): Set<number> | undefined {
  const cleared = findDuplicates(operation, answer, rowsOfSet(run.plan.rows, entry.set))
  return cleared?.size === 0 ? undefined : cleared
}

function finish(context: SetInDoubt, answer: WriteAnswer): void {
  const size = counted(context.entry.set.places.length, 'alert')
  if (answer.fate === 'applied') {
    say(context, `${size} cleared now`)
    confirm(context, [], 'resend', 'sent again and answered that it is done')
  } else if (answer.fate === 'refused') {
    say(context, `${size}: refused, ${answer.status} ${answer.refusals[0]?.code ?? ''}`.trimEnd())
    reject(context, answer, 'resend', 'sent again and refused')
  } else takeNoAnswer(context, answer)
}

/** Cuts a set into what is done and what is open, each on its own from now on; gives back what is open. */
function split(context: SetInDoubt, open: readonly number[], how: Evidence): SetInDoubt {
  const {journal, entry} = context
  const places = (isOpen: boolean) => entry.set.places.filter((_, index) => open.includes(index) === isOpen)
  const [done, rest] = [toNewPart(context, places(false), 'done'), toNewPart(context, places(true), 'open')]
  const seqs = journal.keep(() => {
    const why = `${done.places.length} cleared already, the others go on alone`
    journal.change(entry.part.seq, {state: 'closed', how, why})
    const ended = journal.addPart(done)
    const answer = toAnswerText({fate: 'applied', ids: [], records: []})
    journal.change(ended, {state: 'confirmed', answer, how, why: 'cleared already'})
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
