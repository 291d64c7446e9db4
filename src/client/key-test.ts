import {keyTest} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import type {Incoming} from '../http/transport.js'
import {shown} from '../values/shown.js'
import {looksLikeHtml} from './answer.js'
import {readJson} from './error-list.js'
import type {LoginOptions} from './login.js'
import {askedBy, toSessionRequest} from './request.js'
import {type Tried, tryRead} from './retry.js'
import {troubleOfBody} from './retry-policy.js'
import type {Client, Credentials} from './types.js'

type KeyTest = LoginOptions & {credentials: () => Promise<Credentials>}

/** Asks the key test route with the key alone. */
export function createKeyTest({settings, clock, signal, credentials, exchange, retry}: KeyTest): Client['testKey'] {
  return async () => {
    const {apiKey, password} = await credentials()
    const request = toSessionRequest(settings, keyTest)
    return retry((attempt) =>
      tryRead({
        asked: askedBy(request),
        clock,
        send: () => exchange(request, {apiKey, password}, {attempt, ...(signal && {signal, cut: signal})}),
        take: toText,
      }),
    )
  }
}

/** Bare text or a JSON string. [pub] */
function toText({status, body}: Incoming): Tried<string> {
  if (status !== 200) return {trouble: troubleOfBody(unreadable(`status ${status}`), 1)}
  if (looksLikeHtml(body)) return {trouble: troubleOfBody(unreadable('an HTML page'), 1)}
  const value = readJson(body) ?? body.toString('utf8')
  if (typeof value !== 'string') return {trouble: troubleOfBody(unreadable('JSON that is not text'), 0)}
  const text = shown(value)
  return text === '' ? {trouble: troubleOfBody(unreadable('an empty text'), 1)} : {value: text}
}

function unreadable(what: string): CliFailure {
  return new CliFailure(`The key test was answered with ${what}, which is not an answer of the service.`, {
    code: 'ANSWER_SENSELESS',
    exit: 'unavailable',
    retry: 'safe',
    hints: ['Check the base URL and look closer with: vendorctl doctor'],
  })
}
