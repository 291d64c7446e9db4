import type {Incoming} from '../http/transport.js'
import type {JsonValue} from '../values/json.js'
import {gatewayMessage, readJson, toRefusals} from './error-list.js'
import type {RefusalEntry} from './types.js'

/** Meaning of an answer, by its status and body. */
export type Meaning =
  | {kind: 'success'}
  /** 401: the token is missing or expired; nothing was done. */
  | {kind: 'tokenNeeded'; refusals: RefusalEntry[]}
  /** Too fast; nothing was done. `wait` in milliseconds when the service named one. */
  | {kind: 'throttled'; wait: number | undefined}
  /**
   * The requests of the day are used up, of the key or of the operation itself; nothing was done. `wait` as above;
   * `resetAt` once the ledger knows of it.
   */
  | {
      kind: 'quota'
      message: string
      wait: number | undefined
      resetAt?: number | undefined
      ownLimit?: true | undefined
    }
  | {kind: 'redirect'}
  /** An error list of the service. */
  | {kind: 'refused'; refusals: RefusalEntry[]}
  /** Not the service but something before it: a gateway's `{"message"}`, an HTML page, an empty body, anything unreadable. */
  | {kind: 'foreign'; what: 'message' | 'html' | 'empty' | 'rubbish'; message: string}

const throttleWords = /too many requests|throttl|rate exceeded/i
const quotaWords = /limit exceeded|quota/i

/** `nowMilliseconds` (since 1970) is what a `Retry-After` date is compared with. */
export function toMeaning(incoming: Incoming, nowMilliseconds: number): Meaning {
  const {status, headers, body, resetAt, ownLimit} = incoming
  if (status >= 200 && status < 300) return {kind: 'success'}
  if (status >= 300 && status < 400) return {kind: 'redirect'}
  const value = readJson(body)
  const refusals = toRefusals(value)
  const limit = toLimit(status, value, refusals, waitOf(headers, nowMilliseconds))
  if (limit) return limit.kind === 'quota' ? {...limit, resetAt, ownLimit} : limit
  if (status === 401) return {kind: 'tokenNeeded', refusals: refusals ?? []}
  if (refusals) return {kind: 'refused', refusals}
  return toForeign(body, value)
}

function toForeign(body: Buffer, value: JsonValue | undefined): Meaning {
  const message = gatewayMessage(value)
  if (message !== undefined) return {kind: 'foreign', what: 'message', message}
  if (body.toString('latin1').trim() === '') return {kind: 'foreign', what: 'empty', message: ''}
  if (value === undefined && looksLikeHtml(body)) return {kind: 'foreign', what: 'html', message: ''}
  return {kind: 'foreign', what: 'rubbish', message: body.toString('utf8', 0, 200)}
}

export function looksLikeHtml(body: Buffer): boolean {
  return /^\ufeff?\s*</.test(body.toString('utf8', 0, 200))
}

/** 429 by its status; a gateway's message in any other refusal by its words [dec]. */
function toLimit(
  status: number,
  value: JsonValue | undefined,
  refusals: RefusalEntry[] | undefined,
  wait: number | undefined,
): Meaning | undefined {
  const fromGateway = refusals ? undefined : gatewayMessage(value)
  const message = fromGateway ?? refusals?.map((entry) => entry.message).join(' ') ?? ''
  const mayBeLimit = status === 429 || (fromGateway !== undefined && status !== 413 && (status < 500 || status === 503))
  if (!mayBeLimit) return undefined
  const isThrottle = throttleWords.test(message)
  if (quotaWords.test(message) && !isThrottle) return {kind: 'quota', message, wait}
  return status === 429 || isThrottle ? {kind: 'throttled', wait} : undefined
}

/** `Retry-After` in milliseconds, of seconds or a date; undefined when absent, past or unreadable. */
export function waitOf(headers: Record<string, string>, nowMilliseconds: number): number | undefined {
  const text = headers['retry-after']?.trim()
  if (!text) return undefined
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000
  if (!/[a-z]/i.test(text)) return undefined
  const wait = Date.parse(text) - nowMilliseconds
  return wait > 0 ? wait : undefined
}
