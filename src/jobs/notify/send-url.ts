import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {isLoopback} from '../../http/address.js'
import type {Incoming, Outgoing, Transport} from '../../http/transport.js'
import {type NotifyEvent, toBody} from './event.js'
import type {Answer, Sender} from './notifier.js'

export type UrlOptions = {
  environment: Environment
  /** Longest wait for one answer. */
  limitMilliseconds?: number
}

type Limits = Pick<Outgoing, 'limitMilliseconds' | 'signal'>

const usualLimitMilliseconds = 10_000
const mostRedirects = 2
const redirects = [301, 302, 303, 307, 308]
/** Statuses after which a later try may succeed; all others below 500 are final. */
const temporary = [408, 425, 429]

/** The address to notify; undefined for a text that is none. */
export function toNotifyUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined
}

/** An address as it may be shown: what follows the host is a secret. */
export function showUrl({protocol, host}: URL): string {
  return `${protocol}//${host}/…`
}

/** Whether the request goes over a network unencrypted. */
export function isOpenToOthers({protocol, hostname}: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname)
}

/** Notifies by a POST, as healthchecks takes it: `/start`, nothing, or `/EXITCODE` after the address; its query is kept. */
export function createUrlSender(
  url: URL,
  {environment, limitMilliseconds = usualLimitMilliseconds}: UrlOptions,
): Sender {
  return {
    kind: 'url',
    shown: showUrl(url),
    async send(event, rid, stop) {
      const {createTransport} = await import('../../http/transport.js') // while the command runs already
      const {TransportFailure} = await import('../../http/transport-failure.js')
      const transport = createTransport(environment)
      try {
        const limits = {limitMilliseconds, ...(stop && {signal: stop})}
        return await post(transport, toEventUrl(url, event, rid), toBody(event), limits)
      } catch (error) {
        if (error instanceof TransportFailure) return toBrokenAnswer(error)
        return {isDelivered: false, isFinal: error instanceof CliFailure, text: String((error as Error).message)}
      } finally {
        transport.close()
      }
    },
  }
}

/** `https://host/uuid?x=1` becomes `https://host/uuid/75?x=1&rid=…`. */
function toEventUrl(url: URL, {event, exit}: NotifyEvent, rid: string): URL {
  const end = {start: '/start', success: '', failure: `/${exit?.code ?? 'fail'}`}[event]
  const to = new URL(url)
  to.hash = ''
  if (end !== '') to.pathname = `${to.pathname.replace(/(?<!\/)\/+$/, '')}${end}`
  to.search = `${to.search}${to.search === '' ? '?' : '&'}rid=${rid}`
  return to
}

/** Follows redirects within the origin only: another port is another program. */
async function post(transport: Transport, first: URL, body: string, limits: Limits): Promise<Answer> {
  const {userAgent} = await import('../../core/version.js')
  const headers = {'content-type': 'text/plain; charset=utf-8', 'user-agent': userAgent()}
  let url = first
  for (let hops = 0; ; hops++) {
    const outgoing = {method: 'POST', url, headers, body, fresh: true, ...limits}
    const answer = await transport.send(outgoing)
    if (!redirects.includes(answer.status)) return toAnswer(answer)
    const {location = ''} = answer.headers
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined
    const isOwn = next?.origin === url.origin
    if (!isOwn || hops === mostRedirects) {
      const why = isOwn ? `without end (${answer.status})` : `to ${next?.origin ?? 'nowhere'}, which is not followed`
      return {isDelivered: false, isFinal: true, text: `it redirects ${why}`}
    }
    url = next
  }
}

/** The answer without its body, which may repeat the address. */
function toAnswer({status}: Incoming): Answer {
  return {
    isDelivered: isGood(status),
    isFinal: status < 500 && !temporary.includes(status),
    text: `it answered ${status}`,
  }
}

/** The answer of a response whose body failed: its status counts, if one arrived. */
function toBrokenAnswer({status, message}: {status: number | undefined; message: string}): Answer {
  return {isDelivered: status !== undefined && isGood(status), text: message}
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300
}
