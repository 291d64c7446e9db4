import {type FilterKey, filterOf, filters} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import {toUrl} from '../http/address.js'
import type {Incoming} from '../http/transport.js'
import {TransportFailure} from '../http/transport-failure.js'
import {findValueOrText, type JsonRecord, type JsonValue, printJson, toNumber} from '../values/json.js'
import {toMessageText} from '../values/message-text.js'
import {type Meaning, toMeaning} from './answer.js'
import {fromMeaning} from './failures.js'
import {fateOfRefusal} from './fate.js'
import type {Wire} from './read.js'
import {askedBy, nameOf, type PlainRequest, type RequestName} from './request.js'
import {type Tried, type Trouble, troubleOfMeaning, troubleOfTransport} from './retry.js'
import {lateSignal} from './send-write.js'
import {isFraming, isHeaderName} from './token-header.js'
import type {Client, RawAnswer, RawRequest} from './types.js'

/** A raw request that was answered with anything but success; the answer can still be printed. */
export class RawRefused extends CliFailure {
  readonly answer: RawAnswer

  constructor(failure: CliFailure, answer: RawAnswer) {
    super(failure.message, failure)
    this.answer = answer
  }
}

export function createCall(wire: Wire): Client['call'] {
  return async (raw) => {
    const request = toRawRequest(raw, wire.settings.tokenHeader)
    toUrl(wire.settings, request.path) // a path that leaves the base URL is refused before a login is spent on it
    return wire.retry((attempt) => tryOnce(wire, request, attempt))
  }
}

async function tryOnce(wire: Wire, request: PlainRequest, attempt: number): Promise<Tried<RawAnswer>> {
  const {clock, send, signal} = wire
  const late = request.isWrite && signal ? lateSignal(signal, clock) : undefined
  const cut = late?.signal ?? signal
  try {
    const incoming = await send(request, {attempt, signal, cut})
    const meaning = toMeaning(incoming, clock.now())
    if (meaning.kind === 'success') return {value: incoming}
    return {trouble: toTrouble(request, meaning, incoming, clock.now())}
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error
    return {trouble: ofTransport(request, error)}
  } finally {
    late?.stop()
  }
}

function ofTransport(request: PlainRequest, error: TransportFailure): Trouble {
  const trouble = troubleOfTransport(error, askedBy(request))
  if (!request.isWrite) return trouble
  return {...trouble, tries: 0, ...(error.left && {failure: inDoubt(error.message, askedBy(request))})}
}

/** A write is retried only after a throttle; where the answer leaves open what was done, the failure says so. */
function toTrouble(
  request: PlainRequest,
  meaning: Exclude<Meaning, {kind: 'success'}>,
  incoming: Incoming,
  nowMilliseconds: number,
): Trouble {
  const asked = askedBy(request)
  const trouble = troubleOfMeaning(meaning, incoming, asked, nowMilliseconds)
  const isLimit = meaning.kind === 'throttled' || meaning.kind === 'quota'
  if (!request.isWrite || isLimit) return withAnswer(trouble, incoming)
  const fate = fateOfRefusal(meaning, incoming.status)
  const failure = fate.fate === 'inDoubt' ? inDoubt(fate.why, asked) : fromMeaning(meaning, incoming.status, asked)
  return withAnswer({...trouble, failure, tries: 0}, incoming)
}

function withAnswer(trouble: Trouble, answer: Incoming): Trouble {
  return {...trouble, failure: new RawRefused(trouble.failure, answer)}
}

function inDoubt(why: string, asked: RequestName): CliFailure {
  return new CliFailure(`${nameOf(asked)}: ${why}. It may or may not have been applied, and was not sent again.`, {
    code: 'IN_DOUBT',
    exit: 'inDoubt',
    changed: 'unknown',
    retry: 'reconcile-first',
    hints: ['Read the records before you send it again.'],
  })
}

const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])
const harmlessMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const bodylessMethods = new Set(['GET', 'HEAD'])

/** Checks a raw request. Throws a `CliFailure` (usage) at a method or header that cannot be given. */
function toRawRequest({method, path, headers = {}, body}: RawRequest, tokenHeader: string): PlainRequest {
  const verb = method.toUpperCase()
  if (!methods.has(verb))
    throw new CliFailure(`"${toMessageText(method)}" is not an HTTP method that can be sent.`, {
      code: 'METHOD',
      hints: ['Use GET, HEAD, OPTIONS, POST, PUT, PATCH or DELETE.'],
    })
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  for (const [name, value] of Object.entries(given)) checkHeader(name, value, tokenHeader)
  return {
    operation: 'api',
    method: verb,
    path,
    headers: {...(body !== undefined && {'content-type': 'application/json'}), ...given},
    body: body ?? (bodylessMethods.has(verb) ? undefined : ''),
    isWrite: !harmlessMethods.has(verb),
  }
}

function checkHeader(name: string, value: string, tokenHeader: string): void {
  if (isFraming(name) || name === tokenHeader.toLowerCase()) throw ownHeader(name)
  if (isHeaderName(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return
  throw new CliFailure(`The header "${toMessageText(name)}" has a name or value that no header can have.`, {
    code: 'HEADER',
  })
}

function ownHeader(name: string): CliFailure {
  return new CliFailure(`The header ${name} is set by this program and cannot be given.`, {
    code: 'HEADER',
    hints: ['Key and token come from the profile: vendorctl auth login'],
  })
}

/**
 * The standard request body of `--filter KEY=VALUE`. Keys of the contract get their type and place; others may name
 * their place (`routeFilter.key=…`) and are JSON or text. Undefined where there are none and no body is usual.
 */
export function toRawBody(pairs: readonly string[], method: string): string | undefined {
  if (pairs.length === 0) return method.toUpperCase() === 'GET' ? printJson(emptyBody()) : undefined
  const body = emptyBody()
  for (const pair of pairs) place(body, pair)
  return printJson(body)
}

type Body = {requestFilter: JsonRecord; routeFilter: JsonRecord; body: JsonValue[]}

function emptyBody(): Body {
  return {requestFilter: {}, routeFilter: {}, body: []}
}

function place(body: Body, pair: string): void {
  const sign = pair.indexOf('=')
  if (sign < 1)
    throw new CliFailure(`--filter: not KEY=VALUE: "${pair}"`, {
      code: 'USAGE',
      hints: [`Known keys: ${Object.keys(filters).join(', ')}`],
    })
  const [key, text] = [pair.slice(0, sign), pair.slice(sign + 1)]
  const known = Object.keys(filters).find((name) => name.toLowerCase() === key.toLowerCase()) as FilterKey | undefined
  if (known) {
    body[filterOf(known).place][known] = toKnown(known, text)
    return
  }

  const part = key.startsWith('routeFilter.') ? 'routeFilter' : 'requestFilter'
  body[part][key.replace(/^(routeFilter|requestFilter)\./, '')] = findValueOrText(text)
}

function toKnown(key: FilterKey, text: string): JsonValue {
  const {kind} = filterOf(key)
  if (kind === 'flag') return text === 'true'
  if (kind === 'dateTime') return text
  const texts = text.split(',').map((part) => part.trim())
  return kind === 'texts' ? texts : texts.map((part) => (/^-?\d+$/.test(part) ? toNumber(part) : part))
}
