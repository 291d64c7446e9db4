import {CliFailure} from '../core/errors.js'
import {fitsHeader, type LoginOptions, requestToken} from './login.js'
import type {ClientOptions, Credentials, Token} from './types.js'

export type Session = {
  credentials(): Promise<Credentials>
  /** The token to send: the stored one, or one of a login when user name and password are known, or none. */
  token(): Promise<string | undefined>
  /** A token other than the refused one: that which another process stored, or one of a login, of which one is made at a time. */
  renew(refused: string | undefined): Promise<string>
  /** Forgets a token that was refused right after its login. */
  drop(token: string): Promise<void>
  login(): Promise<Token>
}

type SessionOptions = LoginOptions & Pick<ClientOptions, 'tokens' | 'credentials'>

export function createSession(options: SessionOptions): Session {
  const {tokens} = options
  let current: string | undefined

  const readStore = async (): Promise<string | undefined> => {
    const stored = (await tokens.read())?.accessToken
    return stored !== undefined && fitsHeader(stored) ? stored : undefined
  }

  const credentials = kept(async () => checkKey(await options.credentials()))

  const login = sharedFlight(async () => {
    const token = await requestToken(options, await credentials())
    current = token.accessToken
    await tokens.write(token)
    return token
  })

  const exclusively = <Value>(work: () => Promise<Value>) => tokens.exclusively?.(work) ?? work()

  /** What is stored is looked at again in turn: whoever waited for a login uses its token. */
  const renew = sharedFlight(async (refused: string | undefined) => {
    const other = async () => {
      const stored = await readStore()
      return stored === refused ? undefined : stored
    }
    const ready = current === refused ? await other() : current
    current = ready ?? (await exclusively(async () => (await other()) ?? (await login()).accessToken))
    return current
  })

  const look = kept(async () => {
    const {username, password} = await credentials()
    current = await readStore()
    if (current === undefined && username !== undefined && password !== undefined) await renew(undefined)
  })

  return {
    credentials,
    login,
    async token() {
      await look()
      return current
    },
    renew,
    async drop(token) {
      if (current === token) current = undefined
      await exclusively(async () => {
        if ((await readStore()) === token) await tokens.write(undefined)
      })
    },
  }
}

/** Callers that come while one is under way share its outcome. */
function sharedFlight<Given extends unknown[], Value>(make: (...given: Given) => Promise<Value>) {
  let flight: Promise<Value> | undefined
  return (...given: Given): Promise<Value> => {
    flight ??= make(...given).finally(() => {
      flight = undefined
    })
    return flight
  }
}

/** The outcome of the first call, kept; a failed one is asked for again. */
function kept<Value>(make: () => Promise<Value>): () => Promise<Value> {
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
  throw new CliFailure('The API key is empty or holds blanks or signs that no header can carry.', {
    code: 'API_KEY',
    exit: 'denied',
    hints: ['Store the key again: vendorctl auth login'],
  })
}
