import {CliFailure} from '../errors.js'
import {looksLikeHtml, toMeaning} from './answer.js'
import {readJson} from './error-list.js'
import type {Exchange} from './exchange.js'
import type {Repeater, Tried} from './repeat.js'
import {askedBy, toSessionRequest} from './request.js'
import {troubleOfBody, troubleOfMeaning, troubleOfTransport} from './retry-policy.js'
import {shown} from './shown.js'
import {TransportFailure} from './transport-failure.js'
import type {Client, ClientOptions, Credentials} from './types.js'

type KeyTest = Pick<ClientOptions, 'settings' | 'clock' | 'signal'> & {
  credentials: () => Promise<Credentials>
  exchange: Exchange
  repeat: Repeater
}

/** Asks the key test route with the key alone. */
export function createKeyTest({settings, clock, signal, credentials, exchange, repeat}: KeyTest): Client['testKey'] {
  return async () => {
    const {apiKey} = await credentials()
    const request = toSessionRequest(settings, 'auth.test')
    const asked = askedBy(request)
    return repeat(async (attempt): Promise<Tried<string>> => {
      try {
        const incoming = await exchange(request, {apiKey}, {attempt, ...(signal && {signal, cut: signal})})
        const meaning = toMeaning(incoming, clock.now())
        if (meaning.kind === 'success') return toWords(incoming.body)
        return {trouble: troubleOfMeaning(meaning, incoming, asked, clock.now())}
      } catch (error) {
        if (error instanceof TransportFailure) return {trouble: troubleOfTransport(error, asked)}
        throw error
      }
    })
  }
}

/** Bare text or a JSON string. [pub] */
function toWords(body: Buffer): Tried<string> {
  if (looksLikeHtml(body)) return {trouble: troubleOfBody(htmlAnswer(), 1)}
  const value = readJson(body)
  return {value: shown(typeof value === 'string' ? value : body.toString('utf8'))}
}

function htmlAnswer(): CliFailure {
  return new CliFailure('The key test was answered with an HTML page, which is not an answer of the service.', {
    code: 'ANSWER_SENSELESS',
    exit: 'unavailable',
    retry: 'safe',
    hints: ['Check the base URL and look closer with: vendorctl doctor'],
  })
}
