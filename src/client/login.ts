import {login} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import type {Incoming} from '../http/transport.js'
import {isRecord} from '../values/json.js'
import {member, readJson} from './error-list.js'
import type {Exchange} from './exchange.js'
import {askedBy, toSessionRequest} from './request.js'
import {type Retry, type Tried, tryRead} from './retry.js'
import {troubleOfBody} from './retry-policy.js'
import type {ClientOptions, Credentials, Token} from './types.js'

export type LoginOptions = Pick<ClientOptions, 'settings' | 'clock' | 'signal'> & {exchange: Exchange; retry: Retry}

/** Asks for a token. Throws a `CliFailure`: `denied` when user name or password is unknown or wrong. */
export async function requestToken(options: LoginOptions, known: Credentials): Promise<Token> {
  const {settings, exchange, retry, clock, signal} = options
  const {apiKey, username, password} = known
  if (username === undefined || password === undefined) throw noPassword()
  const request = toSessionRequest(settings, login, {username, password})

  return retry((attempt) =>
    tryRead({
      asked: askedBy(request),
      clock,
      send: () => exchange(request, {apiKey, password}, {attempt, ...(signal && {signal, cut: signal})}),
      take: toToken,
    }),
  )
}

/** Whether a text can be the value of a header; key and token must. */
export function fitsHeader(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

function toToken({body}: Incoming): Tried<Token> {
  const value = readJson(body)
  const accessToken = isRecord(value) ? member(value, 'accessToken') : undefined
  if (!isRecord(value) || typeof accessToken !== 'string' || !fitsHeader(accessToken)) {
    return {trouble: troubleOfBody(noToken(), 1)}
  }

  const token: Token = {accessToken}
  for (const name of ['userName', 'issued', 'expires'] as const) {
    const text = member(value, name)
    if (typeof text === 'string') token[name] = text
  }

  return {value: token}
}

function noToken(): CliFailure {
  return new CliFailure('The login answer holds no usable token.', {
    code: 'LOGIN_ANSWER',
    retry: 'safe',
    hints: ['Check the base URL and look closer with: vendorctl doctor'],
  })
}

function noPassword(): CliFailure {
  return new CliFailure('The service requires a login, but no user name and password are known.', {
    code: 'API_TOKEN',
    exit: 'denied',
    hints: ['Run: vendorctl auth login. Unattended: set VENDORCTL_USERNAME and VENDORCTL_PASSWORD.'],
  })
}
