import type {WriteAnswer} from '../../client/types.js'
import {isStage, stageOf, type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import {isDeletion} from '../../values/record-key.js'
import {createLiveValues} from '../differences/live-values.js'
import {type Evidence, type JournalPart, toAnswerText} from '../journal/journal-entries.js'
import type {LoadedPart} from '../journal/load-run.js'
import {type PlannedRow, type PlannedSet, recordsOfSet} from '../rows/cut-sets.js'
import type {Batch} from '../rows/phases.js'
import {createResolver} from '../rows/pointers.js'
import {contentDigest, naturalKeyOf, toBody} from '../rows/row-content.js'
import {isAboutRows, sendSet} from '../send/send-set.js'
import {countRecords, type Judgement} from './judgement.js'
import {probeSet} from './probe.js'
import {
  allRows,
  confirm,
  doubtAgain,
  doubtSince,
  leave,
  note,
  reject,
  rejectAsAnswered,
  release,
  restore,
  type SetInDoubt,
  toPart,
  wasAnswered,
} from './set-in-doubt.js'

/**
 * Whether the set may be sent now, or the records of it at some places; reports why not. `proven`: nothing of it was
 * applied.
 */
function mayResend(context: SetInDoubt, proven: boolean, places?: readonly number[]): boolean {
  const {options, run, entry, others, report} = context
  const {sends = 'noDeletions'} = options
  const deletions = deletionsOf(context, places)
  if (sends === 'nothing' || (sends === 'noDeletions' && deletions > 0)) report.deletions = deletions
  if (options.dryRun) {
    note(context, 'would be sent again')
    if (proven) release(context, 'probe', '')
    return false
  }
  const sets = others.map(({set}) => set)
  const isShared = sharesRecord(run.plan, entry.set, sets)
  const isCounted = report.deletions === undefined
  if (!isShared && isCounted && !options.signal?.aborted) return true
  if (!isCounted && deletions > 0) note(context, 'not sent again before the number of deletions is confirmed')
  if (isShared) note(context, 'not sent again: another set in doubt has one of its records')
  if (proven) release(context, 'probe', 'nothing of it was found')
  else leave(context)
  return false
}

/** Records of a set that would be deleted. */
function deletionsOf({operation, records}: SetInDoubt, places: readonly number[] = [...records.keys()]): number {
  const write = writeOperation(operation)
  return places.filter((place) => isDeletion(write, records[place] ?? {})).length
}

/** Sends the same bytes again, but for values that change by themselves: those are read anew. */
async function sendAgain(context: SetInDoubt): Promise<WriteAnswer> {
  const {journal, operation, records, entry, options, report, run} = context
  const {set, part} = entry
  const {client, signal} = options
  report.sent++
  const {answer} = await sendSet({
    ...{client, operation, set, records, signal},
    keptBody: () => journal.bodyOf(part.seq),
    sending: (body) => journal.markSent(part.seq, body),
    live: createLiveValues({client, operation, rows: run.plan.rows}),
  })
  return answer
}

/** Sends a set again of which nothing was found. `proven`: nothing of it was applied, and not only nothing so far. */
export async function resend(context: SetInDoubt, proven: boolean): Promise<void> {
  if (!mayResend(context, proven)) return
  if (proven) release(context, 'probe', 'nothing of it was found')
  const answer = await sendAgain(context)
  if (answer.fate === 'refused') return takeRefusal(context, answer, proven)
  if (answer.fate !== 'applied') return takeNoAnswer(context, answer, proven)
  note(context, 'sent again: applied')
  confirm(context, answer.ids, 'resend', 'sent again and answered that it is done')
}

type NoAnswer = Extract<WriteAnswer, {fate: 'unsent' | 'inDoubt'}>

/** A set that was sent again without an answer that settles it. */
function takeNoAnswer(context: SetInDoubt, answer: NoAnswer, proven = false): void {
  if (answer.fate === 'inDoubt') {
    note(context, `sent again, and in doubt again: ${answer.why}`)
    doubtAgain(context, answer, answer.why)
    return
  }
  note(context, `not sent again: ${answer.failure.message}`)
  if (proven) release(context, 'probe', 'nothing of it was found; not sent again')
  else restore(context, answer.failure.message)
}

/** A duplicate may be the first copy, which arrived late: then the records are there, all of them. */
async function takeRefusal(context: SetInDoubt, answer: Refused, proven: boolean): Promise<void> {
  const {run, entry, operation, report} = context
  const [first] = answer.refusals
  note(context, `sent again: ${describeRefusal(answer)}`)
  if (!proven && !tellsOfFirst(context, answer)) return
  const records = recordsOfSet(run.plan.rows, entry.set)
  const named = findDuplicates(operation, answer, records)?.size
  const refuse = () => reject(context, answer, 'resend', `sent again and refused: ${first?.code ?? ''}`)
  if (named === undefined && !endsItsRecords(operation)) return refuse()

  const found = await readBack(context)
  if (found === undefined) {
    report.probes.void++
    return doubtAgain(context, {fate: 'inDoubt', why: 'refused as a duplicate', refusals: answer.refusals}, 'duplicate')
  }
  report.probes.good++
  note(context, found.evidence)
  if (found.kind === 'applied')
    return confirm(context, found.ids, 'resend', 'refused as a duplicate of the first copy, which is there')
  if (found.kind === 'none' && (named === undefined || (!found.final && isAmbiguous(operation)))) {
    note(context, 'so it was refused for its contents, and not as a duplicate')
    return refuse()
  }
  // where no record has the refused name, the service spells names its own way: one may be the first of all of them
  const isTold =
    named !== undefined && named < records.length && (named > 1 || writeOperation(operation).probe.kind !== 'identity')
  if (found.kind === 'none' && (found.final || isTold)) {
    note(
      context,
      `${named} of ${counted(records.length, 'row')} already exist and belong to someone else, so the set was not applied`,
    )
    return reject(context, answer, 'resend', 'refused as a duplicate of records of others')
  }
  restore(context, 'refused as a duplicate, but the records are not as they were sent')
  leave(context, found.kind === 'unclear' ? found.rows : [])
}

/**
 * Whether a refusal is one that a first copy met as well, which is not yet known to be lost. A refusal of the login, the
 * right or the path says nothing of what came before it: the set stays in doubt.
 */
function tellsOfFirst(context: SetInDoubt, answer: Refused): boolean {
  if (wasAnswered(context) || isAboutRows(answer, true)) return true
  note(context, 'which does not show what becomes of the first copy')
  restore(context, 'sent again and refused, which shows nothing of the first copy')
  leave(context)
  return false
}

/** Whether the refusal of a duplicate is also that of other rules, so that only the records show which it was. */
function isAmbiguous(operation: WriteId): boolean {
  const {duplicateCode, boundsCode} = writeOperation(operation)
  return duplicateCode === boundsCode
}

/** Whether the records that a set names are gone once it was applied, so that a first copy makes the second one refused. */
function endsItsRecords(operation: WriteId): boolean {
  const {deletes, probe} = writeOperation(operation)
  return typeof deletes !== 'string' || probe.kind === 'current'
}

async function readBack(context: SetInDoubt) {
  try {
    return await probeSet(context)
  } catch (error) {
    if (error instanceof CliFailure) return undefined
    throw error
  }
}

/** Whether a set has a record of one of the others, so that it must wait until they are no longer in doubt. */
export function sharesRecord(
  {operation, rows}: Pick<Batch, 'operation' | 'rows'>,
  {places}: Pick<PlannedSet, 'places'>,
  others: readonly Pick<PlannedSet, 'places'>[],
): boolean {
  if (others.length === 0) return false
  const nameOf = (place: number) => nameOfRow(operation, rows.at(place))
  const names = new Set(others.flatMap((other) => other.places.map(nameOf)))
  return places.some((place) => names.has(nameOf(place)))
}

/** Rows without identity are the same when their content is. */
function nameOfRow(operation: Batch['operation'], row: PlannedRow | undefined): string {
  const record = row?.record ?? {}
  const content = () => Buffer.from(row?.digest ?? contentDigest(record)).toString('hex')
  return naturalKeyOf(operation, record) ?? content()
}

export type Refused = Extract<WriteAnswer, {fate: 'refused'}>

/** The places in the set of the records that a refusal names as duplicates; undefined when it is none or not only that. */
function findDuplicates(
  operation: WriteId,
  {refusals}: Refused,
  records: readonly JsonRecord[],
): Set<number> | undefined {
  const write = writeOperation(operation)
  if (refusals.length === 0 || !refusals.every(({code}) => code === write.duplicateCode)) return undefined
  const resolved = refusals.flatMap(createResolver(write, records))
  return new Set(resolved.flatMap(({indexes}) => [...indexes]))
}

/** Refusals that depend only on what was sent, so that a first copy was refused, too. */
const always = new Set(['DESERIALIZATION_ERROR', 'MISSING_REQUIRED_DATA', 'DATE_PARSING', 'HTTP_413'])

/**
 * Sends records again that no read shows: what already exists is refused, and a set is applied completely or not at
 * all. Stages before the standard body answer a duplicate like a broken gateway, so that it would prove nothing. [seed]
 */
export async function resendAsProbe(context: SetInDoubt): Promise<void> {
  const {stage} = context.run.facts
  if (!isStage(stage) || !stageOf(stage).bulk) {
    note(context, `no read shows these records, and stage ${stage} does not tell which already exist`)
    leave(context, allRows(context))
    return
  }
  if (!mayResend(context, false)) return
  const answer = await sendAgain(context)
  if (answer.fate === 'applied') {
    note(context, 'sent again: applied, so the first copy was not')
    confirm(context, answer.ids, 'resend', 'sent again and answered that it is done')
  } else if (answer.fate === 'refused') takeProbeRefusal(context, answer)
  else takeNoAnswer(context, answer)
}

/** `refused, 400 VALIDATION_ERROR` */
function describeRefusal({status, refusals}: Refused): string {
  return `refused, ${status} ${refusals[0]?.code ?? ''}`.trimEnd()
}

function takeProbeRefusal(context: SetInDoubt, answer: Refused): void {
  const {run, entry, operation} = context
  const size = entry.set.places.length
  const named = findDuplicates(operation, answer, recordsOfSet(run.plan.rows, entry.set))
  const refusal = `sent again: ${describeRefusal(answer)}`
  if (named?.size === size) {
    note(context, `${refusal} for all of it, so it is there: applied by the first copy, or there before`)
    confirm(context, [], 'resend', 'sent again; all of it already exists')
  } else if (named && named.size > 1) {
    const some = `${named.size} of ${counted(size, 'row')}`
    note(context, `${refusal} for ${some}: of someone else, because a set is applied completely or not at all`)
    reject(context, answer, 'resend', 'sent again; a part of it belongs to someone else')
  } else if (!named && answer.refusals.every(({code}) => always.has(code))) {
    note(context, `${refusal}, as the first copy must have been`)
    reject(context, answer, 'resend', 'sent again and refused for its contents')
  } else {
    note(context, `${refusal}${named ? ' for one row' : ''}, which does not show whether the first copy was applied`)
    restore(context, refusal)
    leave(context, named?.size ? [...named].map((index) => ({index})) : allRows(context))
  }
}

type Open = Pick<Extract<Judgement, {kind: 'open'}>, 'open' | 'seen'>

/**
 * Sends the records of a set again that have not reached their end state. That is harmless and decisive: one that has
 * reached it meanwhile is refused, and then left out.
 */
export async function sendRest(context: SetInDoubt, {open, seen}: Open, proven: boolean): Promise<void> {
  const {entry, options} = context
  const size = entry.set.places.length
  if (open.length === size && seen && wasAnswered(context)) return rejectAsAnswered(context)
  if (options.dryRun) return void mayResend(context, false, open)
  let rest = open.length < size ? split(context, open, 'probe') : context
  if (!mayResend(rest, false)) return
  for (;;) {
    const answer = await sendAgain(rest)
    const reached = answer.fate === 'refused' ? reachedOf(rest, answer) : undefined
    if (reached === undefined || neverExisted(rest, reached)) return finish(rest, answer, proven)
    const left = [...rest.entry.set.places.keys()].filter((index) => !reached.has(index))
    note(rest, `${describe(reached.size, rest)} already`)
    if (left.length === 0) return confirm(rest, [], 'resend', 'all of them were done already')
    rest = split(rest, left, 'resend')
    if (options.signal?.aborted) return
  }
}

/** The places of the records that the service refuses because they have reached their end state. */
function reachedOf({operation, run, entry}: SetInDoubt, answer: Refused): Set<number> | undefined {
  const reached = findDuplicates(operation, answer, recordsOfSet(run.plan.rows, entry.set))
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

function finish(context: SetInDoubt, answer: WriteAnswer, proven: boolean): void {
  const size = context.entry.set.places.length
  if (answer.fate === 'applied') {
    note(context, `${describe(size, context)} now`)
    confirm(context, [], 'resend', 'sent again and answered that it is done')
  } else if (answer.fate === 'refused') {
    note(context, `${countRecords(size, writeOperation(context.operation))}: ${describeRefusal(answer)}`)
    if (proven || tellsOfFirst(context, answer)) reject(context, answer, 'resend', 'sent again and refused')
  } else takeNoAnswer(context, answer)
}

/** Cuts a set into its done and open rows, each a part of its own from now on; returns the open part. */
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
    const since = doubtSince(entry.part)
    const doubt = toAnswerText({fate: 'inDoubt', why: 'a part of a set in doubt', refusals: []})
    journal.change(seq, {state: 'inDoubt', answer: doubt, ...(since && {doubt: since}), why: 'still open'})
    return {seq}
  })
  return toPart(context, toEntry(journal.parts(), seqs.seq, context))
}

function toNewPart({run, operation, entry}: SetInDoubt, places: number[], kind: 'done' | 'open') {
  const body = toBody(operation, recordsOfSet(run.plan.rows, {...entry.set, places}))
  const origin = JSON.stringify({...canaryOf(entry), part: {kind}})
  return {parent: entry.part.seq, number: entry.set.number, places, origin, body}
}

function toEntry(parts: readonly JournalPart[], seq: number, {entry}: SetInDoubt): LoadedPart {
  const part = parts.find((one) => one.seq === seq)
  return part
    ? {part, set: {number: part.number, places: part.places, ...canaryOf(entry), part: {kind: 'open'}}}
    : entry
}

/** A part of the first rows is one of them: when it is refused, the others are not sent. */
function canaryOf({set}: LoadedPart): Pick<PlannedSet, 'canary'> {
  return set.canary ? {canary: true} : {}
}
