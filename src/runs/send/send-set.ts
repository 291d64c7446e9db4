import {toWriteBody} from '../../client/request.js'
import type {Client, WriteAnswer} from '../../client/types.js'
import {allFieldsOf, type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {JsonRecord} from '../../values/json.js'
import type {LiveValues} from '../differences/live-values.js'
import type {PlannedSet} from '../rows/cut-sets.js'
import {spellFields} from '../rows/merge.js'
import type {LiveSent} from '../rows/phases.js'
import {keyInForce} from '../rows/row-content.js'
import {toSent} from '../rows/to-sent.js'

export type SetToSend = {
  client: Pick<Client, 'write'>
  operation: WriteId
  set: PlannedSet
  records: readonly JsonRecord[]
  /** The exact body, where it is kept; made of the records unless given. */
  keptBody?: (() => string) | undefined
  /** To be called before the first byte leaves, with the body where it is another one than was kept. */
  sending?: ((body?: string) => void) | undefined
  /** The set was marked as sent, and nothing left. */
  unsent?: ((answer: WriteAnswer) => void) | undefined
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
    const body = toWriteBody(toSent(sent.operation, records))
    let left: LiveSent | undefined
    const sending = () => {
      if (reads < mostReads && live.isOld(set)) throw new Outdated('values that were just read became old in a wait')
      left = live.sentOf(set)
      sent.sending?.(body)
    }
    const answer = await send({...sent, records, sending}, () => body)
    const isOutdated = answer.fate === 'unsent' && answer.failure instanceof Outdated
    if (!isOutdated) return {answer, ...(left && {live: left})}
    if (left) sent.unsent?.(answer) // an earlier try was throttled
  }
}

async function send({client, operation, records, sending}: SetToSend, bodyOf?: () => string): Promise<WriteAnswer> {
  try {
    const how = {...(bodyOf && {body: bodyOf()}), ...(sending && {beforeSend: () => sending()})}
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
  const records = answer.records.map((record): JsonRecord => Object.fromEntries(spellFields(record, fields)))
  const ids = new Map(records.map((record) => [keyInForce(probe.key, record), record[target] ?? null]))
  const found = sent.flatMap((record) => ids.get(keyInForce(probe.key, record)) ?? [])
  return found.length === sent.length ? {...answer, ids: found} : answer
}

function notRead(error: unknown): Error {
  if (!(error instanceof CliFailure)) return error as Error
  const {code, exit, hints, retry, cause} = error
  const message = `What the records hold right now could not be read: ${error.message}`
  return new CliFailure(message, {code, exit, hints, retry, cause})
}
