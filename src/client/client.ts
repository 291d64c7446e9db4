import {keyTest} from '../contract/index.js'
import type {CliFailure} from '../core/errors.js'
import {toBaseUrl} from '../http/address.js'
import {createTransport, type Incoming} from '../http/transport.js'
import {createGovernor} from '../quota/governor.js'
import type {QuotaClass} from '../quota/quota.js'
import {toMessageText} from '../values/message-text.js'
import {looksLikeHtml} from './answer.js'
import {readJson} from './error-list.js'
import {createExchange} from './exchange.js'
import {senseless} from './failures.js'
import {createCall} from './raw-call.js'
import {createReadPages} from './read.js'
import {toSessionRequest} from './request.js'
import {createRetry, type Tried, troubleOfBody} from './retry.js'
import {createWrite} from './send-write.js'
import {askWithKey, createAuthenticated, createSession, type LoginOptions} from './session.js'
import {checkTokenHeader} from './token-header.js'
import type {Client, ClientOptions, Credentials} from './types.js'

/** Makes a client; nothing is sent yet. Throws a `CliFailure` (usage, unsafe) at a base URL or token header that cannot be used. */
export function createClient(options: ClientOptions): Client {
  const {settings, clock, environment} = options
  toBaseUrl(settings.baseUrl)
  checkTokenHeader(settings.tokenHeader)
  const transport = createTransport(environment, options.onNotice)
  const governor = createGovernor(settings, clock, options)
  const exchange = createExchange({...options, transport, governor})
  const retry = createRetry(options)
  const session = createSession({...options, exchange, retry})
  const {credentials} = session

  const forClass = (quotaClass?: QuotaClass) => {
    const send = createAuthenticated(
      quotaClass ? createExchange({...options, transport, governor, quotaClass}) : exchange,
      session,
    )
    const wire = {...options, send, retry}
    const quota = () => governor.quota(quotaClass)
    return {readPages: createReadPages(wire), write: createWrite(wire), call: createCall(wire), quota}
  }

  return {
    ...forClass(),
    forClass,
    login: session.login,
    testKey: createKeyTest({...options, credentials, exchange, retry}),
    spreadOver: governor.spreadOver,
    nameRun: governor.nameRun,
    get requestsUsed() {
      return governor.used
    },
    begin: () => governor.begin(options.signal),
    close() {
      transport.close()
      return governor.close(options.signal)
    },
  }
}

/** Asks the key test route with the key alone. */
function createKeyTest(options: LoginOptions & {credentials: () => Promise<Credentials>}): Client['testKey'] {
  return async () => {
    const request = toSessionRequest(options.settings, keyTest)
    return askWithKey(options, request, await options.credentials(), toText)
  }
}

/** Bare text or a JSON string. [pub] */
function toText({status, body}: Incoming): Tried<string> {
  if (status !== 200) return {trouble: troubleOfBody(unreadable(`status ${status}`), 1)}
  if (looksLikeHtml(body)) return {trouble: troubleOfBody(unreadable('an HTML page'), 1)}
  const value = readJson(body) ?? body.toString('utf8')
  if (typeof value !== 'string') return {trouble: troubleOfBody(unreadable('JSON that is not text'), 0)}
  const text = toMessageText(value)
  return text === '' ? {trouble: troubleOfBody(unreadable('an empty text'), 1)} : {value: text}
}

function unreadable(what: string): CliFailure {
  return senseless(`The key test was answered with ${what}, which is not an answer of the service.`)
}
