import type {Write} from '../contract/index.js'
import type {Incoming} from '../http/transport.js'
import type {TransportFailure} from '../http/transport-failure.js'
import {isNumber, isRecord, type JsonRecord, type JsonValue, numberText} from '../values/json.js'
import {toMessageText} from '../values/message-text.js'
import {looksLikeHtml, type Meaning} from './answer.js'
import {containsError, isErrorList, readJson, toRefusals} from './error-list.js'
import {fromTransport} from './failures.js'
import type {RequestName} from './request.js'
import type {RefusalEntry, WriteAnswer} from './types.js'

/** The statuses that say "done". 202 (accepted, not yet done) and 206 (a part) do not. */
const doneStatuses = new Set([200, 201, 204])
/** Redirects by which a server says that it did not act. 303 usually means "done". */
const refusingRedirects = new Set([301, 302, 307, 308])

/** Numbers of records that were sent, and of those that this deletes: an echo lacks them. */
export type Counts = {sent: number; deleted?: number}

/** The fate that a successful answer proves for the set that was sent. */
export function fateOfSuccess(
  {answer}: Pick<Write, 'answer'>,
  {sent, deleted = 0}: Counts,
  incoming: Incoming,
): WriteAnswer {
  const {status, body} = incoming
  const isEmpty = body.toString('latin1').trim() === ''
  const value = isEmpty ? undefined : readJson(body)
  const doubt = (why: string): WriteAnswer => inDoubt(`answered ${status} with ${why}`, status, toRefusals(value) ?? [])
  if (!doneStatuses.has(status)) return doubt('a status that does not say "done"')
  if (!isEmpty && value === undefined)
    return doubt(looksLikeHtml(body) ? 'an HTML page' : 'a body that is not complete JSON')
  if (value !== undefined && isErrorList(value)) return doubt('an error list')
  if (containsError(value)) return doubt('an error among other elements')
  if (answer === 'ids')
    return Array.isArray(value) && areIds(value, sent) ? applied(value) : doubt(wrongIds(value, sent))
  const echoed = sent - deleted
  const others = (list: JsonValue[]) =>
    doubt(`${list.length} records for ${sent} sent${deleted === 0 ? '' : `, ${deleted} of them to be deleted`}`)
  if (answer === 'nothing') {
    if (Array.isArray(value) && value.length < sent) return others(value)
    return saysNothing(value) ? applied() : doubt('a body that this operation does not answer with')
  }
  if (sent > 0 && echoed === 0 && value === undefined) return applied()
  if (!Array.isArray(value) || !value.every((element) => isRecord(element))) return doubt('no list of records')
  return value.length === echoed ? applied([], value as JsonRecord[]) : others(value)
}

/** The fate that any other answer proves; not for tokens and limits, after which the set can be sent again. */
export function fateOfRefusal(meaning: Meaning, status: number): WriteAnswer {
  const refusals = meaning.kind === 'refused' || meaning.kind === 'tokenNeeded' ? meaning.refusals : []
  if (isUnclear(meaning, status, refusals)) return inDoubt(reasonOf(meaning, status, refusals), status, refusals)
  const entries =
    refusals.length > 0 ? refusals : [{code: codeOf(meaning, status), message: messageOf(meaning), pointers: []}]
  return {fate: 'refused', status, refusals: entries}
}

/** The fate that a broken exchange proves. */
export function fateOfTransport(failure: TransportFailure, asked: RequestName): WriteAnswer {
  if (!failure.left) return {fate: 'unsent', failure: fromTransport(failure, asked)}
  return inDoubt(failure.message, failure.status, [])
}

function inDoubt(why: string, status: number | undefined, refusals: RefusalEntry[]): WriteAnswer {
  return {fate: 'inDoubt', why, refusals, status}
}

function isUnclear(meaning: Meaning, status: number, refusals: RefusalEntry[]): boolean {
  if (meaning.kind === 'redirect') return !refusingRedirects.has(status)
  if (status < 400 || status >= 500 || status === 408) return true
  if (status === 421 && refusals.length === 0) return true
  return refusals.some((entry) => entry.code === 'UNEXPECTED_RESULT_COUNT')
}

function reasonOf(meaning: Meaning, status: number, refusals: RefusalEntry[]): string {
  const [first] = refusals
  if (first) return `answered ${status} ${toMessageText(first.code)} ${toMessageText(first.message)}`.trimEnd()
  const message = messageOf(meaning)
  return message === '' ? `answered ${status}` : `answered ${status}: ${toMessageText(message)}`
}

function messageOf(meaning: Meaning): string {
  if (meaning.kind === 'redirect') return 'The service answered with a redirect, which is never followed.'
  if (meaning.kind !== 'foreign') return ''
  if (meaning.what === 'html') return 'The answer is an HTML page.'
  return meaning.message
}

function codeOf(meaning: Meaning, status: number): string {
  if (meaning.kind === 'redirect') return 'REDIRECT'
  return meaning.kind === 'tokenNeeded' ? 'API_TOKEN' : `HTTP_${status}`
}

function applied(ids: JsonValue[] = [], records: JsonRecord[] = []): WriteAnswer {
  return {fate: 'applied', ids, records}
}

function areIds(value: JsonValue[], sent: number): boolean {
  const texts = new Set(value.map((id) => (isNumber(id) ? numberText(id) : id)))
  const isOnePerRecord = value.length === sent && texts.size === sent
  return isOnePerRecord && value.every(isId)
}

function isId(value: JsonValue): boolean {
  const text = isNumber(value) ? numberText(value) : value
  return typeof text === 'string' && /^[1-9]\d*$/.test(text)
}

function wrongIds(value: JsonValue | undefined, sent: number): string {
  if (!Array.isArray(value)) return 'no list of ids'
  return value.length === sent ? 'a list that is not one id for each record' : `${value.length} ids for ${sent} records`
}

/** Nothing, null, true, an empty object, or a list of records or ids: a service that says more than it must. */
function saysNothing(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === true) return true
  if (Array.isArray(value)) return value.every((element) => isRecord(element) || isId(element))
  return isRecord(value) && Object.keys(value).length === 0
}
