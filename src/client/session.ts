import {CliFailure} from '../errors.js'
import {isRecord, type JsonValue} from '../values/json.js'
import {toMeaning} from './answer.js'
import {member, readJson} from './error-list.js'
import type {Exchange} from './exchange.js'
import {fromMeaning} from './failures.js'
import type {Repeater, Tried} from './repeat.js'
import {askedBy, toSessionRequest} from './request.js'
import {troubleOfBody, troubleOfMeaning, troubleOfTransport} from './retry-policy.js'
import {TransportFailure} from './transport-failure.js'
import type {ClientOptions, Credentials, Token} from './types.js'

export type Session = {
  credentials(): Promise<Credentials>
  /** The token to send: the stored one, or one of a login when user name and password are known, or none. */
  token(): Promise<string | undefined>
  /** A token other than the refused one. One login at a time; a token that another process stored is taken first. */
  renew(refused: string | undefined): Promise<string>
  /** Forgets a token that was refused right after its login. */
  drop(token: string): Promise<void>
  login(): Promise<Token>
}

type SessionOptions = Pick<ClientOptions, 'settings' | 'tokens' | 'clock' | 'signal'> & {
  credentials: () => Promise<Credentials>
  exchange: Exchange
  repeat: Repeater
}

export function createSession(options: SessionOptions): Session {
  const {tokens} = options
  const credentials = once(options.credentials)
  let current: string | undefined
  let looked = false
  let inFlight: Promise<Token> | undefined

  const login = async (): Promise<Token> => {
    const token = await requestToken(options, await credentials())
    current = token.accessToken
    looked = true
    await tokens.write(token)
    return token
  }

  const loginOnce = (): Promise<Token> => {
    inFlight ??= login().finally(() => {
      inFlight = undefined
    })
    return inFlight
  }

  const readStore = async (): Promise<string | undefined> => (await tokens.read())?.accessToken

  return {
    credentials,
    async token() {
      if (looked) return inFlight ? (await inFlight).accessToken : current
      current = await readStore()
      looked = true
      if (current !== undefined) return current
      return canLogIn(await credentials()) ? (await loginOnce()).accessToken : undefined
    },
    async renew(refused) {
      if (inFlight) return (await inFlight).accessToken
      const stored = current !== undefined && current !== refused ? current : await readStore()
      if (stored !== undefined && stored !== refused) {
        current = stored
        return stored
      }

      return (await loginOnce()).accessToken
    },
    async drop(token) {
      if (current === token) current = undefined
      if ((await readStore()) === token) await tokens.write(undefined)
    },
    login: loginOnce,
  }
}

function canLogIn({username, password}: Credentials): boolean {
  return username !== undefined && password !== undefined
}

/** A promise made at the first call and kept; a failed one is asked for again. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

async function requestToken(
  {settings, exchange, repeat, clock, signal}: SessionOptions,
  known: Credentials,
): Promise<Token> {
  const {apiKey, username, password} = known
  if (username === undefined || password === undefined) throw noPassword()
  const request = toSessionRequest(settings, 'auth.login', {username, password})
  const asked = askedBy(request)

  return repeat(async (attempt): Promise<Tried<Token>> => {
    try {
      const incoming = await exchange(request, {apiKey}, {attempt, ...(signal && {signal, cut: signal})})
      const meaning = toMeaning(incoming, clock.now())
      if (meaning.kind === 'success') return toToken(readJson(incoming.body))
      if (meaning.kind === 'tokenNeeded')
        return {trouble: {failure: fromMeaning(meaning, 401, asked), tries: 0, cost: 0}}
      return {trouble: troubleOfMeaning(meaning, incoming, asked, clock.now())}
    } catch (error) {
      if (error instanceof TransportFailure) return {trouble: troubleOfTransport(error, asked)}
      throw error
    }
  })
}

function toToken(value: JsonValue | undefined): Tried<Token> {
  const accessToken = isRecord(value) ? member(value, 'accessToken') : undefined
  if (!isRecord(value) || typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) {
    return {trouble: troubleOfBody(noToken(), 0)}
  }

  const token: Token = {accessToken}
  for (const name of ['userName', 'issued', 'expires'] as const) {
    const text = member(value, name)
    if (typeof text === 'string') token[name] = text
  }

  return {value: token}
}

function noToken(): CliFailure {
  return new CliFailure('The login was answered without a token that can be sent.', {
    code: 'LOGIN_ANSWER',
    exit: 'unavailable',
    retry: 'safe',
    hints: ['Check the base URL and look closer with: vendorctl doctor'],
  })
}

function noPassword(): CliFailure {
  return new CliFailure('The service asks for a login, and no user name and password are known to log in with.', {
    code: 'API_TOKEN',
    exit: 'denied',
    hints: ['Run: vendorctl auth login. Unattended: set VENDORCTL_USERNAME and VENDORCTL_PASSWORD.'],
  })
}
