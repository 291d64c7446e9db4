import {rmSync} from 'node:fs'
import {join} from 'node:path'
import type {Token, TokenStore} from '../../client/types.js'
import {CliFailure} from '../../core/errors.js'
import {readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import {privateName} from '../../core/private-name.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'

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
      exit: 'storage',
      retry: 'safe',
      hints: ['Free space or set XDG_STATE_HOME to a folder that can be written.'],
    })
  }
}
