import {type FilterKey, type Write, type WriteId, writeOperation} from '../contract/index.js'
import {type Clock, pause} from '../core/clock.js'
import type {CliFailure} from '../core/errors.js'
import type {Incoming} from '../http/transport.js'
import {TransportFailure} from '../http/transport-failure.js'
import {ownLimitUsedUp} from '../quota/quota.js'
import type {JsonRecord} from '../values/json.js'
import {idText, isDeletion} from '../values/record-key.js'
import {type Meaning, toMeaning} from './answer.js'
import {member} from './error-list.js'
import {fromMeaning, waitTooLong} from './failures.js'
import {fateOfRefusal, fateOfSuccess, fateOfTransport} from './fate.js'
import type {Wire} from './read.js'
import {askedBy, checkStage, type PlainRequest, toWriteBody, toWriteRequest} from './request.js'
import {longestWaitMilliseconds, maximumThrottles, toWait, tryingAgain} from './retry.js'
import type {Client, ClientOptions, WriteAnswer, WriteContent, WriteHow} from './types.js'

/** Longest time that a write in flight may continue after the caller's signal. */
const graceMilliseconds = 10_000

type WriteWire = Wire & Pick<ClientOptions, 'random' | 'onNotice'> & Pick<WriteHow, 'beforeSend'>

export function createWrite(wire: WriteWire): Client['write'] {
  return async (id, sent, {body = toWriteBody(sent), beforeSend} = {}) => {
    checkStage(wire.settings.stage, writeOperation(id))
    const request = toWriteRequest(wire.settings, id, body)
    const reply = await sendUntilAnswered({...wire, beforeSend}, request)
    if (!('incoming' in reply)) return reply
    return toFate(id, sent, reply)
  }
}

type Reply = {incoming: Incoming; meaning: Meaning}

function toFate(id: WriteId, {records = [], filters = {}}: WriteContent, {incoming, meaning}: Reply): WriteAnswer {
  const write = writeOperation(id)
  const named = Object.entries(write.sentAs).find(([, field]) => field === write.target)?.[0] as FilterKey | undefined
  const sent = named ? [filters[named] ?? []].flat().length : records.length
  const deleted = records.filter((record) => isDeletion(write, record)).length
  if (meaning.kind === 'success') return withChanged(write, records, fateOfSuccess(write, {sent, deleted}, incoming))
  return fateOfRefusal(meaning, incoming.status)
}

/** Sends the same bytes again only after 401 or 429, which prove that nothing was done. */
async function sendUntilAnswered(wire: WriteWire, request: PlainRequest): Promise<Reply | WriteAnswer> {
  for (let attempt = 1; ; attempt++) {
    const incoming = await caught(sendOnce(wire, request, attempt))
    if (incoming instanceof TransportFailure) return fateOfTransport(incoming, askedBy(request))
    if (incoming instanceof Error) return {fate: 'unsent', failure: incoming}
    const meaning = toMeaning(incoming, wire.clock.now())
    if (meaning.kind !== 'throttled' && meaning.kind !== 'quota') return {incoming, meaning}
    const ended = await caught(waitOutThrottle(wire, request, {meaning, attempt}))
    if (ended instanceof Error) return {fate: 'unsent', failure: ended}
  }
}

/** Everything that is thrown here, a broken exchange aside, is thrown before a byte is sent. */
async function caught<Value>(promise: Promise<Value>): Promise<Value | Error> {
  try {
    return await promise
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Throws a `CliFailure` (limited) when waiting does not help. */
async function waitOutThrottle(
  {clock, random, signal, onNotice}: WriteWire,
  request: PlainRequest,
  {meaning, attempt}: {meaning: Extract<Meaning, {kind: 'throttled' | 'quota'}>; attempt: number},
): Promise<void> {
  const asked = askedBy(request)
  if (meaning.kind === 'quota' && meaning.ownLimit) throw ownLimitUsedUp(request.limited ?? '', meaning)
  const failure: CliFailure = fromMeaning(meaning, 429, asked)
  if (meaning.kind === 'quota' || attempt > maximumThrottles) throw failure
  const {wait} = meaning
  if (wait !== undefined && wait > longestWaitMilliseconds) throw waitTooLong(wait, asked)
  const milliseconds = toWait({wait, isThrottle: true}, attempt - 1, random)
  onNotice?.(`${failure.message} ${tryingAgain(milliseconds)}`)
  await pause(milliseconds, clock, signal)
}

async function sendOnce(wire: WriteWire, request: PlainRequest, attempt: number): Promise<Incoming> {
  const {send, signal, clock, beforeSend} = wire
  if (!signal) return send(request, {attempt, beforeSend})
  const late = lateSignal(signal, clock)
  try {
    return await send(request, {attempt, signal, cut: late.signal, beforeSend})
  } finally {
    late.stop()
  }
}

/** A signal that aborts 10 s after another one, so that a write in flight can be answered; immediately if that one has aborted. */
export function lateSignal(early: AbortSignal, clock: Clock): {signal: AbortSignal; stop: () => void} {
  const late = new AbortController()
  const stopped = new AbortController()
  const start = () => {
    clock.sleep(graceMilliseconds, stopped.signal).then(
      () => late.abort(early.reason),
      () => {},
    )
  }

  if (early.aborted) late.abort(early.reason)
  else early.addEventListener('abort', start, {once: true, signal: stopped.signal})
  return {signal: late.signal, stop: () => stopped.abort()}
}

/**
 * Values of changed records now, where they are changed by a number. An answer of other records than were named proves
 * nothing: a change by a number is never sent again on a guess.
 */
function withChanged(
  {difference, target}: Pick<Write, 'difference' | 'target'>,
  sent: readonly JsonRecord[],
  answer: WriteAnswer,
): WriteAnswer {
  if (!difference || answer.fate !== 'applied') return answer
  const byId = new Map(answer.records.map((record) => [idText(member(record, 'id')), record]))
  const found = sent.map(({[target]: id}) => byId.get(idText(id))).filter((record) => record !== undefined)
  if (found.length === sent.length)
    return {...answer, now: found.map((record) => member(record, difference.field) ?? null)}
  const missing = sent.find(({[target]: id}) => !byId.has(idText(id)))
  const why = `answered with other records than were named: none has the id ${idText(missing?.[target])}`
  return {fate: 'inDoubt', why, refusals: []}
}
