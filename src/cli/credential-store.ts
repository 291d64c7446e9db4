import {join} from 'node:path'
import type {Token, TokenStore} from '../client/types.js'
import {CliFailure} from '../errors.js'
import {shellWord} from '../values/command-line.js'
import {ensurePrivateFolder} from './ensure-folder.js'
import type {Environment} from './environment.js'
import {configFolder} from './folders.js'
import {readPrivateFile} from './private-file.js'

/** What is kept for one profile and stage. The password only when its owner asked for it. */
export type StoredCredentials = {
  /** The service the key was entered for; it is sent nowhere else. */
  baseUrl: string
  apiKey: string
  username?: string
  password?: string
  token?: Token
}

const fileName = 'credentials'

/** The stored credentials of this user: one file, 0600, in a folder that only the owner enters. */
export class CredentialStore {
  readonly path: string
  readonly #folder: string

  constructor(environment: Environment) {
    this.#folder = configFolder(environment)
    this.path = join(this.#folder, `${fileName}.json`)
  }

  keys(): string[] {
    return Object.keys(this.#read()).sort()
  }

  find(key: string): StoredCredentials | undefined {
    const all = this.#read()
    return Object.hasOwn(all, key) ? all[key] : undefined
  }

  async write(key: string, credentials: StoredCredentials): Promise<void> {
    await this.#change((all) => ({...all, [key]: credentials}))
  }

  async writeAll(entries: Record<string, StoredCredentials>): Promise<void> {
    await this.#change((all) => ({...all, ...entries}))
  }

  async remove(keys: readonly string[]): Promise<void> {
    await this.#change((all) => Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key))))
  }

  /** Where the client keeps the token of one profile and stage. */
  tokens(key: string): TokenStore {
    return {
      read: async () => this.find(key)?.token,
      write: async (token) => {
        const stored = this.find(key)
        if (!stored) return
        const {token: _old, ...rest} = stored
        await this.write(key, {...rest, ...(token && {token})})
      },
    }
  }

  #read(): Record<string, StoredCredentials> {
    const text = readPrivateFile(this.path)
    if (text === undefined) return {}
    try {
      return JSON.parse(text) as Record<string, StoredCredentials>
    } catch {
      throw new CliFailure(`The credentials in ${this.path} cannot be read.`, {
        code: 'STATE_DAMAGED',
        exit: 'storage',
        hints: [`Remove the file (rm ${shellWord(this.path)}) and run: vendorctl auth login`],
      })
    }
  }

  async #change(change: (all: Record<string, StoredCredentials>) => Record<string, StoredCredentials>): Promise<void> {
    const next = change(this.#read())
    ensurePrivateFolder(this.#folder)
    const {openStore} = await import('./store.js')
    openStore(this.#folder, fileName).store = next
  }
}
