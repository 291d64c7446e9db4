import {join} from 'node:path'
import type {Token, TokenStore} from '../../client/types.js'
import {shellWord} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {readPrivateFile} from '../../core/private-file.js'
import type {Environment} from '../app/environment.js'
import {configFolder} from '../app/folders.js'

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

  /** Forgets those of these keys; returns which there were. */
  async remove(isMeant: (key: string) => boolean): Promise<string[]> {
    let removed: string[] = []
    if (!this.keys().some(isMeant)) return removed
    await this.#change((all) => {
      removed = Object.keys(all).filter(isMeant).sort()
      return Object.fromEntries(Object.entries(all).filter(([key]) => !isMeant(key)))
    })
    return removed
  }

  /** Where the client keeps the token of one profile and stage, as long as its key is the one that is stored. */
  tokens(key: string, apiKey?: string): TokenStore {
    return {
      read: async () => this.find(key)?.token,
      write: (token) =>
        this.#change((all) => {
          const stored = Object.hasOwn(all, key) ? all[key] : undefined
          if (stored === undefined || stored.apiKey !== apiKey) return all
          const {token: _old, ...rest} = stored
          return {...all, [key]: {...rest, ...(token && {token})}}
        }),
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
    const {changeStore} = await import('./store.js')
    await changeStore({folder: this.#folder, name: fileName, read: () => this.#read()}, change)
  }
}
