import type {Client, RefusalEntry, WriteAnswer} from '../../client/types.js'
import {allFieldsOf, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure, reworded} from '../../core/errors.js'
import type {JsonRecord} from '../../values/json.js'
import type {LiveValues} from '../differences/live-values.js'
import {type PlannedSet, type RowList, recordsOfSet} from '../rows/cut-sets.js'
import {spellRecord} from '../rows/merge-fields.js'
import type {OnError} from '../rows/on-error.js'
import type {LiveSent} from '../rows/phases.js'
import {createResolver} from '../rows/pointers.js'
import {keyInForce, toBody, toSent} from '../rows/row-content.js'

export type SetToSend = {
  client: Pick<Client, 'write'>
  operation: WriteId
  set: PlannedSet
  records: readonly JsonRecord[]
  /** The exact body as it is kept. */
  keptBody: () => string
  /** To be called before the first byte leaves, with the body where it is another one than was kept. */
  sending: (body?: string) => void
  /** The set was marked as sent, and nothing left; returns why that cannot be recorded. */
  unsent?: ((answer: WriteAnswer) => CliFailure | undefined) | undefined
  live?: LiveValues | undefined
  /** Sets that are sent next. */
  next?: Iterable<PlannedSet>
  signal?: AbortSignal | undefined
}

export type SentSet = {answer: WriteAnswer; live?: LiveSent}

/** Reads of one set; where each takes longer than values stay fresh, the last one is sent. */
const mostReads = 6

/** A wait, for a permit or after a throttle, made a value old before it left. */
class Outdated extends Error {}

/**
 * Sends one set, with values that change by themselves as they were read right before; those that a wait made old are
 * read again. In doubt unless the failure proves that nothing was changed: the request may have left this machine.
 */
export async function sendSet(sent: SetToSend): Promise<SentSet> {
  const {live, set, next, signal} = sent
  if (!live) return {answer: await send(sent, sent.keptBody)}
  for (let reads = 1; ; reads++) {
    try {
      await live.read(set, next)
    } catch (error) {
      if (error instanceof CliFailure || signal?.aborted) return {answer: {fate: 'unsent', failure: notRead(error)}}
      throw error
    }

    const records = live.recordsOf(set, sent.records)
    const body = toBody(sent.operation, records)
    let left: LiveSent | undefined
    const sending = () => {
      if (reads < mostReads && live.isOld(set)) throw new Outdated('values that were just read became old in a wait')
      left = live.sentOf(set)
      sent.sending(body)
    }
    const answer = await send({...sent, records, sending}, () => body)
    const isOutdated = answer.fate === 'unsent' && answer.failure instanceof Outdated
    if (!isOutdated) return {answer, ...(left && {live: left})}
    const failure = left && sent.unsent?.(answer) // an earlier try was throttled
    if (failure) return {answer: {fate: 'unsent', failure}}
  }
}

async function send({client, operation, records, sending}: SetToSend, bodyOf: () => string): Promise<WriteAnswer> {
  try {
    const how = {body: bodyOf(), beforeSend: () => sending()}
    return withNewIds(await client.write(operation, toSent(operation, records), how), operation, records)
  } catch (error) {
    if (error instanceof CliFailure && error.changed === 'none') return {fate: 'unsent', failure: error}
    return {fate: 'inDoubt', why: `unexpected: ${(error as Error).message}`, refusals: []}
  }
}

/** Where each change makes a new record, its answer names the id of each; in any order, so they are found by their keys. */
function withNewIds(answer: WriteAnswer, operation: WriteId, sent: readonly JsonRecord[]): WriteAnswer {
  const {probe, resource, target} = writeOperation(operation)
  if (answer.fate !== 'applied' || probe.kind !== 'current') return answer
  const fields = allFieldsOf(resource)
  const records = answer.records.map((record) => spellRecord(record, fields))
  const ids = new Map(records.map((record) => [keyInForce(probe.key, record), record[target] ?? null]))
  const found = sent.flatMap((record) => ids.get(keyInForce(probe.key, record)) ?? [])
  return found.length === sent.length ? {...answer, ids: found} : answer
}

function notRead(error: unknown): Error {
  if (!(error instanceof CliFailure)) return error as Error
  return reworded(error, `The current values of the records could not be read: ${error.message}`)
}

export type AnswerContext = {
  rows: RowList
  operation: Write
  onError: OnError
  /** All rows in one set: nothing of it is sent alone. */
  atomic: boolean
  /** Sets that may still be sent to find blamed rows. */
  budgetLeft: number
}

/** Consequences of an answer: whether the run continues, and which parts of its set are sent first. */
export type AfterAnswer = {continues: boolean; parts: PlannedSet[]}

type Refused = Extract<WriteAnswer, {fate: 'refused'}>

const stops: AfterAnswer = {continues: false, parts: []}

/** Decides what follows an answer. A run never continues after a doubt, nor where no other row would fare better. */
export function afterAnswer(answer: WriteAnswer, set: PlannedSet, context: AnswerContext): AfterAnswer {
  if (answer.fate === 'applied') return {continues: true, parts: []}
  if (answer.fate !== 'refused') return stops
  const {onError, atomic, budgetLeft} = context
  const canHalve = set.places.length > 1
  if (isTooLarge(answer) && canHalve && !atomic) return {continues: true, parts: halve(set, 'half', answer)}
  if (onError === 'stop' || atomic || set.canary) return stops
  const blamed = findBlamed(answer.refusals, set, context)
  if (!isAboutRows(answer, blamed.size > 0 || onError === 'bisect')) return stops
  if (blamed.size > 0) return {continues: true, parts: restOf(set, blamed, answer)}
  if (onError === 'bisect' && canHalve && budgetLeft > 0) return {continues: true, parts: halve(set, 'bisect', answer)}
  return {continues: true, parts: []}
}

/** Whether the service would not even read a set for its size. */
export function isTooLarge(answer: WriteAnswer): boolean {
  return answer.fate === 'refused' && answer.status === 413
}

/** Places in the plan of the rows that a refusal of their set blames. */
function findBlamed(
  refusals: readonly RefusalEntry[],
  set: PlannedSet,
  {rows, operation}: Pick<AnswerContext, 'rows' | 'operation'>,
): Set<number> {
  const resolved = refusals.flatMap(createResolver(operation, recordsOfSet(rows, set)))
  return new Set(resolved.flatMap(({indexes}) => indexes.map((index) => set.places[index] ?? -1)))
}

/** Statuses of a gateway, without a code of the service, that can be the fault of what was sent. */
const gatewayRefusesContent = new Set(['HTTP_400', 'HTTP_413', 'HTTP_422'])

/**
 * Whether other rows may fare better: not where the login, the key, the stage or the path is refused. Access to data
 * depends on the rows where the refusal names them, or where they are looked for.
 */
export function isAboutRows({status, refusals}: Refused, canTellRows: boolean): boolean {
  if (status === 401 || (status >= 300 && status < 400)) return false
  if (status === 403) return canTellRows && refusals.every(({code}) => code === 'DATA_ACCESS')
  return refusals.every(({code}) => !code.startsWith('HTTP_') || gatewayRefusesContent.has(code))
}

function restOf(set: PlannedSet, blamed: ReadonlySet<number>, {refusals}: Refused): PlannedSet[] {
  const places = set.places.filter((place) => !blamed.has(place))
  return places.length === 0 ? [] : [{number: set.number, places, part: {kind: 'rest', refusal: refusals[0]}}]
}

/** The two halves of a set, in the order of the file. */
export function halve(set: PlannedSet, kind: 'half' | 'bisect', answer?: Refused): PlannedSet[] {
  const middle = Math.ceil(set.places.length / 2)
  const part = {kind, refusal: answer?.refusals[0]}
  return [set.places.slice(0, middle), set.places.slice(middle)].map((places) => ({...set, places, part}))
}
