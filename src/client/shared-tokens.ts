import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {CliFailure} from '../core/errors.js'
import {lockWithin} from '../core/lock.js'
import {readPrivateFile, writePrivateFile} from '../core/private-file.js'
import {privateName} from '../core/private-name.js'
import type {Token, TokenStore} from './types.js'

export type SharedLogin = {
  /** Service, stage, key and user: runs with the same four share a login. */
  facts: readonly string[]
  stateFolder: () => string
  signal: AbortSignal
  note: (text: string) => void
  /** Called with each token before it is stored, so that no message shows it. */
  onSecret: (token: string | undefined) => void
}

/** The timeout of a login without an answer; a process that waits longer logs in by itself. */
const longestLoginMilliseconds = 60_000

/**
 * The tokens of one login for a client: one process logs in while the others wait for its token. A token that cannot
 * be stored is a warning, and the next command logs in again.
 */
export function createSharedTokens(tokens: TokenStore, login: SharedLogin): TokenStore {
  const {facts, stateFolder, signal, note, onSecret} = login
  return {
    read: tokens.read,
    async write(token) {
      onSecret(token?.accessToken)
      try {
        await tokens.write(token)
      } catch (error) {
        if (!isStorageFailure(error)) throw error
        note(`warning: ${error.message}. The next command logs in again.`)
      }
    },
    async exclusively(work) {
      const lock = await lockLogin(join(stateFolder(), 'logins', `${privateName(facts)}.lock`), signal)
      try {
        return await work()
      } finally {
        lock?.release()
      }
    },
  }
}

/** The lock of a login; undefined where none can be made, so that each process logs in by itself. */
async function lockLogin(path: string, signal: AbortSignal) {
  try {
    return await lockWithin(path, 'The lock of the login', {
      milliseconds: longestLoginMilliseconds,
      onNetworkToo: true,
      signal,
    })
  } catch (error) {
    if (!isStorageFailure(error)) throw error
    return undefined
  }
}

/** Whether only the place of the token is the problem. */
function isStorageFailure(error: unknown): error is CliFailure {
  return error instanceof CliFailure && (error.exit === 'storage' || error.exit === 'locked')
}

/** The token of a run whose credentials come from the environment: a file of mode 0600 in the state folder. */
export function createTokenFile(stateFolder: string, facts: readonly string[]): TokenStore {
  const folder = join(stateFolder, 'tokens')
  const path = join(folder, `${privateName(facts)}.json`)

  return {
    read: async () => toToken(readPrivateFile(path)),
    write: async (token) => (token ? writeToken(folder, path, token) : rmSync(path, {force: true})),
  }
}

function toToken(text: string | undefined): Token | undefined {
  if (text === undefined) return undefined
  try {
    const token = JSON.parse(text) as Partial<Token>
    return typeof token.accessToken === 'string' ? {...token, accessToken: token.accessToken} : undefined
  } catch {
    return undefined
  }
}

function writeToken(folder: string, path: string, token: Token): void {
  try {
    writePrivateFile(path, JSON.stringify(token))
  } catch (error) {
    throw new CliFailure(`Cannot keep the login token in ${folder}: ${(error as NodeJS.ErrnoException).code}`, {
      code: 'STATE_UNWRITABLE',
      retry: 'safe',
      hints: ['Free space or set XDG_STATE_HOME to a folder that can be written.'],
    })
  }
}
