import {CliFailure} from '../core/errors.js'
import {toMessageText} from '../values/message-text.js'

/** Headers by which HTTP itself cuts, routes and encodes messages, and the one that carries the key. */
const framing = new Set([
  ...['x-api-key', 'host', 'connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'expect', 'http2-settings'],
  ...['transfer-encoding', 'accept-encoding', 'content-length', 'proxy-authorization', 'proxy-connection'],
])

/** Those that say how a request of this program is to be read. */
const meaning = /^(accept|page|size|user-agent|range|date|via|forwarded|cookie|(accept|content|if|sec|proxy)-.*)$/

/** Whether a header belongs to HTTP or to the key, so that nobody gives it a value. The name is in lower case. */
export function isFraming(name: string): boolean {
  return framing.has(name)
}

export function isHeaderName(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text)
}

/** Whether a login token can travel in a header: it must have a name, and no other work to do. */
export function canCarryToken(name: string): boolean {
  const folded = name.toLowerCase()
  return isHeaderName(name) && !isFraming(folded) && !meaning.test(folded)
}

/** Throws a `CliFailure` (usage) at a header that cannot carry the login token. */
export function checkTokenHeader(name: string): void {
  if (canCarryToken(name)) return
  throw new CliFailure(`The login token cannot be sent in the header "${toMessageText(name)}".`, {
    code: 'TOKEN_HEADER',
    hints: ['Name a header that neither HTTP nor this program uses, such as access-token or authorization.'],
  })
}
