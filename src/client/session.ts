import {login} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import type {Incoming} from '../http/transport.js'
import {isRecord} from '../values/json.js'
import {member, readJson} from './error-list.js'
import type {Exchange, SendOptions} from './exchange.js'
import {askedBy, type PlainRequest, toSessionRequest} from './request.js'
import {type Retry, type Tried, troubleOfBody, tryRead} from './retry.js'
import type {ClientOptions, Credentials, Token} from './types.js'

export type Session = ReturnType<typeof createSession>

export function createSession(options: LoginOptions & Pick<ClientOptions, 'tokens' | 'credentials'>) {
  const {tokens} = options
  let current: string | undefined
  /** No token, and those that were refused; one of them stays in a store that cannot be written. */
  const useless = new Set<string | undefined>([undefined])

  const readStore = async (): Promise<string | undefined> => {
    const stored = (await tokens.read())?.accessToken
    return stored !== undefined && fitsHeader(stored) ? stored : undefined
  }

  const credentials = remembered(async () => checkKey(await options.credentials()))

  const logIn = oneAtATime(async () => {
    const token = await requestToken(options, await credentials())
    current = token.accessToken
    await tokens.write(token)
    return token
  })

  const exclusively = <Value>(work: () => Promise<Value>) => tokens.exclusively?.(work) ?? work()

  /**
   * A token other than the refused one: that which another process stored, or one of a login, of which one is made at a
   * time. The store is read again under the lock: a process that waited for a login uses its token.
   */
  const renew = oneAtATime(async (refused: string | undefined): Promise<string> => {
    useless.add(refused)
    const other = async () => {
      const stored = await readStore()
      return useless.has(stored) ? undefined : stored
    }
    const ready = current === refused ? await other() : current
    current = ready ?? (await exclusively(async () => (await other()) ?? (await logIn()).accessToken))
    return current
  })

  const loadToken = remembered(async () => {
    const {username, password} = await credentials()
    current = await readStore()
    if (username !== undefined && password !== undefined) await renew(undefined)
  })

  return {
    credentials,
    login: logIn,
    /** The token to send: the stored one, or one of a login when user name and password are known, or none. */
    async token() {
      await loadToken()
      return current
    },
    renew,
    /** Forgets a token that was refused right after its login. */
    async drop(token: string): Promise<void> {
      if (current === token) current = undefined
      await exclusively(async () => {
        if ((await readStore()) === token) await tokens.write(undefined)
      })
    },
  }
}

export type Authenticated = (request: PlainRequest, options: SendOptions) => Promise<Incoming>

/**
 * Sends with key and token. After 401, which proves that nothing was done, it renews the token and sends the same
 * bytes once more; the second answer counts, whatever it is.
 */
export function createAuthenticated(exchange: Exchange, session: Session): Authenticated {
  return async (request, options) => {
    const known = await session.credentials()
    const token = await session.token()
    const first = await exchange(request, identity(known, token), options)
    if (first.status !== 401) return first
    const renewed = await session.renew(token)
    const second = await exchange(request, identity(known, renewed), options)
    if (second.status === 401) await session.drop(renewed)
    return second
  }
}

function identity({apiKey, password}: Credentials, token: string | undefined) {
  return {apiKey, password, token}
}

/** Callers that come while one call is under way share its outcome. */
function oneAtATime<Given extends unknown[], Value>(make: (...given: Given) => Promise<Value>) {
  let underWay: Promise<Value> | undefined
  return (...given: Given): Promise<Value> => {
    underWay ??= make(...given).finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

/** The outcome of the first call, kept; a failed one is asked for again. */
function remembered<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

function checkKey(known: Credentials): Credentials {
  if (fitsHeader(known.apiKey)) return known
  throw new CliFailure('The API key is empty or contains spaces or characters that no header can carry.', {
    code: 'API_KEY',
    hints: ['Store the key again: vendorctl auth login'],
  })
}

export type LoginOptions = Pick<ClientOptions, 'settings' | 'clock' | 'signal'> & {exchange: Exchange; retry: Retry}

/** Asks for a token. Throws a `CliFailure`: `denied` when user name or password is unknown or wrong. */
async function requestToken(options: LoginOptions, known: Credentials): Promise<Token> {
  const {username, password} = known
  if (username === undefined || password === undefined)
    throw new CliFailure('The service requires a login, but no user name and password are known.', {
      code: 'API_TOKEN',
      exit: 'denied',
      hints: ['Run: vendorctl auth login. Unattended: set VENDORCTL_USERNAME and VENDORCTL_PASSWORD.'],
    })
  return askWithKey(options, toSessionRequest(options.settings, login, {username, password}), known, toToken)
}

/** Sends what needs no token, and tries it again as a read. */
export function askWithKey<Value>(
  {exchange, retry, clock, signal}: LoginOptions,
  request: PlainRequest,
  {apiKey, password}: Credentials,
  take: (incoming: Incoming) => Tried<Value>,
): Promise<Value> {
  const asked = askedBy(request)
  return retry((attempt) => {
    const send = () => exchange(request, {apiKey, password}, {attempt, signal, cut: signal})
    return tryRead({asked, clock, send, take})
  })
}

/** Whether a text can be the value of a header; key and token must. */
function fitsHeader(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

function toToken({body}: Incoming): Tried<Token> {
  const value = readJson(body)
  const accessToken = isRecord(value) ? member(value, 'accessToken') : undefined
  if (!isRecord(value) || typeof accessToken !== 'string' || !fitsHeader(accessToken))
    return {trouble: troubleOfBody(noToken(), 1)}

  const token: Token = {accessToken}
  for (const name of ['userName', 'issued', 'expires'] as const) {
    const text = member(value, name)
    if (typeof text === 'string') token[name] = text
  }

  return {value: token}
}

function noToken(): CliFailure {
  return new CliFailure('The login answer contains no usable token.', {
    code: 'LOGIN_ANSWER',
    retry: 'safe',
    hints: ['Check the base URL and look closer with: vendorctl doctor'],
  })
}
