import {rmSync} from 'node:fs'
import {join} from 'node:path'
import type {Token, TokenStore} from '../../client/types.js'
import {CliFailure} from '../../core/errors.js'
import {lockWithin} from '../../core/lock.js'
import {readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import {privateName} from '../../core/private-name.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import type {Messages} from '../app/messages.js'
import {registerSecret} from '../terminal/redact.js'
import {stopSignal} from '../terminal/signals.js'

export type LoginFacts = {
  environment: Environment
  messages: Messages
  /** Service, stage, key and user: runs with the same four share a login. */
  facts: readonly string[]
}

/** The timeout of a login without an answer; a process that waits longer logs in by itself. */
const longestLoginMilliseconds = 60_000

/**
 * The tokens of one login for a client: one process logs in while the others wait for its token. A token that cannot
 * be stored is a warning, and the next command logs in again.
 */
export function createSharedTokens(tokens: TokenStore, {environment, messages, facts}: LoginFacts): TokenStore {
  return {
    read: tokens.read,
    async write(token) {
      registerSecret(token?.accessToken)
      try {
        await tokens.write(token)
      } catch (error) {
        if (!isStorageFailure(error)) throw error
        messages.note(`warning: ${error.message}. The next command logs in again.`)
      }
    },
    async exclusively(work) {
      const lock = await lockLogin(join(stateFolder(environment), 'logins', `${privateName(facts)}.lock`))
      try {
        return await work()
      } finally {
        lock?.release()
      }
    },
  }
}

/** The lock of a login; undefined where none can be made, so that each process logs in by itself. */
async function lockLogin(path: string) {
  try {
    return await lockWithin(path, 'The lock of the login', {
      milliseconds: longestLoginMilliseconds,
      onNetworkToo: true,
      signal: stopSignal(),
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
export function createTokenFile(environment: Environment, facts: readonly string[]): TokenStore {
  const folder = join(stateFolder(environment), 'tokens')
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
