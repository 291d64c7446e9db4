import {createHash} from 'node:crypto'
import type {Credentials, Token, TokenStore} from '../client/types.js'
import type {Environment} from '../core/environment.js'
import {configFolder} from '../core/folders.js'
import {parseUsTime, toDateTime} from '../values/date-time.js'
import {Store} from './store.js'

/** The credentials of one profile and stage; the password only where its owner asked for that. */
export type StoredCredentials = Credentials & {
  /** The service the key was entered for; it is sent nowhere else. */
  baseUrl: string
  token?: Token
}

/** The stored credentials of this user by profile and stage: a file that only its owner can read. */
export class CredentialStore {
  readonly #store: Store<Record<string, StoredCredentials>>

  constructor(environment: Environment) {
    this.#store = new Store({folder: configFolder(environment), name: 'credentials', kept: 'credentials', empty: {}})
  }

  keys(): string[] {
    return Object.keys(this.#store.read()).sort()
  }

  find(key: string): StoredCredentials | undefined {
    const all = this.#store.read()
    return Object.hasOwn(all, key) ? all[key] : undefined
  }

  async write(key: string, credentials: StoredCredentials): Promise<void> {
    await this.#store.change((all) => ({...all, [key]: credentials}))
  }

  async writeAll(entries: Record<string, StoredCredentials>): Promise<void> {
    await this.#store.change((all) => ({...all, ...entries}))
  }

  /** Removes entries by their key and returns the removed keys. */
  async remove(isMeant: (key: string) => boolean): Promise<string[]> {
    let removed: string[] = []
    if (!this.keys().some(isMeant)) return removed
    await this.#store.change((all) => {
      removed = Object.keys(all).filter(isMeant).sort()
      return Object.fromEntries(Object.entries(all).filter(([key]) => !isMeant(key)))
    })
    return removed
  }

  /** The store for the token of one profile and stage, while the stored key is the one in use. */
  tokens(key: string, apiKey?: string): TokenStore {
    return {
      read: async () => this.find(key)?.token,
      write: (token) =>
        this.#store.change((all) => {
          const stored = Object.hasOwn(all, key) ? all[key] : undefined
          if (stored === undefined || stored.apiKey !== apiKey) return all
          const {token: _old, ...rest} = stored
          return {...all, [key]: {...rest, ...(token && {token})}}
        }),
    }
  }
}

/** Eight hex digits that distinguish one secret from another and reveal nothing of it. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(`vendorctl ${secret}`).digest('hex').slice(0, 8)
}

/** The end of a token, in UTC; as the service wrote it when that cannot be read. */
export function tokenEnd(token: Token | undefined): string | null {
  if (token?.expires === undefined) return null
  const milliseconds = parseUsTime(token.expires)
  return milliseconds === undefined ? token.expires : toDateTime(milliseconds)
}
