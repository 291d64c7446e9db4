import type {Incoming} from '../http/transport.js'
import type {Exchange, Once} from './exchange.js'
import type {PlainRequest} from './request.js'
import type {Session} from './session.js'
import type {Credentials} from './types.js'

export type Authenticated = (request: PlainRequest, once: Once) => Promise<Incoming>

/**
 * Sends with key and token. After 401, which proves that nothing was done, it renews the token and sends the same
 * bytes once more; the second answer stands, whatever it is.
 */
export function createAuthenticated(exchange: Exchange, session: Session): Authenticated {
  return async (request, once) => {
    const known = await session.credentials()
    const token = await session.token()
    const first = await exchange(request, identity(known, token), once)
    if (first.status !== 401) return first
    const renewed = await session.renew(token)
    const second = await exchange(request, identity(known, renewed), once)
    if (second.status === 401) await session.drop(renewed)
    return second
  }
}

function identity({apiKey, password}: Credentials, token: string | undefined) {
  return {apiKey, password, ...(token !== undefined && {token})}
}
