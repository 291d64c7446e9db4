import {CliFailure} from '../errors.js'
import {type Meaning, toMeaning} from './answer.js'
import {type Asked, fromMeaning} from './failures.js'
import {fateOfRefusal} from './fate.js'
import type {Wire} from './read.js'
import type {Repeater, Tried} from './repeat.js'
import {askedBy, type PlainRequest} from './request.js'
import {type Trouble, troubleOfMeaning, troubleOfTransport} from './retry-policy.js'
import type {Incoming} from './transport.js'
import {TransportFailure} from './transport-failure.js'
import type {Client, ClientOptions, RawAnswer, RawRequest} from './types.js'
import {lateSignal} from './write.js'

/** A raw request that was answered with anything but success; the answer can still be printed. */
export class RawRefused extends CliFailure {
  readonly answer: RawAnswer

  constructor(failure: CliFailure, answer: RawAnswer) {
    super(failure.message, failure)
    this.answer = answer
  }
}

type RawWire = Wire & {settings: ClientOptions['settings']; repeat: Repeater}

const harmlessMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const bodylessMethods = new Set(['GET', 'HEAD'])
const ownHeaders = new Set([
  'x-api-key',
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'accept-encoding',
])

export function createCall(wire: RawWire): Client['call'] {
  return async (raw) => {
    const request = toRawRequest(raw, wire.settings.tokenHeader)
    return wire.repeat((attempt) => tryOnce(wire, request, attempt))
  }
}

async function tryOnce(wire: RawWire, request: PlainRequest, attempt: number): Promise<Tried<RawAnswer>> {
  const {clock, send, signal} = wire
  const asked = askedBy(request)
  const late = request.isWrite && signal ? lateSignal(signal, clock) : undefined
  const cut = late?.signal ?? signal
  try {
    const incoming = await send(request, {attempt, ...(signal && {signal}), ...(cut && {cut})})
    const meaning = toMeaning(incoming, clock.now())
    if (meaning.kind === 'success') return {value: incoming}
    const trouble = troubleOfMeaning(meaning, incoming, asked, clock.now())
    return {
      trouble: request.isWrite ? troubleOfWrite(trouble, meaning, incoming, asked) : withAnswer(trouble, incoming),
    }
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error
    if (request.isWrite && error.left) throw inDoubt(error.message, asked)
    const trouble = troubleOfTransport(error, asked)
    return {trouble: request.isWrite ? {...trouble, tries: 0} : trouble}
  } finally {
    late?.stop()
  }
}

/** Only a throttle may be repeated; where the answer leaves open what was done, the failure says so. */
function troubleOfWrite(trouble: Trouble, meaning: Meaning, incoming: Incoming, asked: Asked): Trouble {
  if (meaning.kind === 'throttled') return withAnswer(trouble, incoming)
  const fate = fateOfRefusal(meaning, incoming.status)
  const failure =
    fate.fate === 'inDoubt' && meaning.kind !== 'quota'
      ? inDoubt(fate.why, asked)
      : fromMeaning(meaning as Exclude<Meaning, {kind: 'success'}>, incoming.status, asked)
  return withAnswer({...trouble, failure, tries: 0}, incoming)
}

function withAnswer(trouble: Trouble, incoming: Incoming): Trouble {
  return {...trouble, failure: new RawRefused(trouble.failure, incoming)}
}

function inDoubt(why: string, {method, path}: Asked): CliFailure {
  return new CliFailure(`${method} ${path}: ${why}. It may or may not have been applied, and was not sent again.`, {
    code: 'IN_DOUBT',
    exit: 'inDoubt',
    changed: 'unknown',
    retry: 'reconcile-first',
    hints: ['Read the records before you send it again.'],
  })
}

function toRawRequest({method, path, headers = {}, body}: RawRequest, tokenHeader: string): PlainRequest {
  const verb = method.toUpperCase()
  if (!/^[A-Z]{1,20}$/.test(verb) || verb === 'CONNECT' || verb === 'TRACE') throw wrongMethod(method)
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const owned = Object.keys(given).find((name) => ownHeaders.has(name) || name === tokenHeader.toLowerCase())
  if (owned !== undefined) throw ownHeader(owned)
  const sent = body ?? (bodylessMethods.has(verb) ? undefined : '')
  return {
    operation: 'api',
    method: verb,
    path,
    headers: {...(body !== undefined && {'content-type': 'application/json'}), ...given},
    ...(sent !== undefined && {body: sent}),
    isWrite: !harmlessMethods.has(verb),
  }
}

function wrongMethod(method: string): CliFailure {
  return new CliFailure(`"${method}" is no HTTP method that can be sent.`, {
    code: 'METHOD',
    exit: 'usage',
    hints: ['Use GET, POST, PUT, PATCH or DELETE.'],
  })
}

function ownHeader(name: string): CliFailure {
  return new CliFailure(`The header ${name} is set by this program and cannot be given.`, {
    code: 'HEADER',
    exit: 'usage',
    hints: ['Key and token come from the profile: vendorctl auth login'],
  })
}
