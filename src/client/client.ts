import {toBaseUrl} from '../http/address.js'
import {createTransport} from '../http/transport.js'
import {createGovernor} from '../quota/governor.js'
import type {QuotaClass} from '../quota/quota.js'
import {createExchange} from './exchange.js'
import {createKeyTest} from './key-test.js'
import {createCall} from './raw-call.js'
import {createReadPages} from './read.js'
import {createRetry} from './retry.js'
import {createAuthenticated, createSession} from './session.js'
import {checkTokenHeader} from './token-header.js'
import type {Client, ClientOptions} from './types.js'
import {createWrite} from './write.js'

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
