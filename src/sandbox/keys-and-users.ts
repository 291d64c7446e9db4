import {randomBytes} from 'node:crypto'
import {CliFailure} from '../core/errors.js'
import type {Sessions} from './request/logins.js'
import {limitedOrganizations} from './seed/world.js'
import type {Store} from './store/record-store.js'

export type Login = {apiKey: string; username: string; password: string}

/** The users of the sandbox and their keys. */
export type Credentials = {
  /** Sees and changes everything. */
  main: Login
  /** Key and user of two organizations. */
  limited: Login
  /** A user without API access, on the main key. */
  noAccess: Login
  /** A user whose access rights cannot be looked up, on the main key. */
  accessError: Login
}

const prefix = 'sandbox-'
const secret = (name: string) => `${prefix}${name}-${randomBytes(16).toString('hex')}`

/**
 * The credentials of a sandbox: those a database file has already, or new random ones. All of them begin with
 * `sandbox-`, so that they are not mistaken for real ones, and a real key is refused here.
 */
export function createCredentials({database}: Store, given: Partial<Login>): Credentials {
  if (given.apiKey !== undefined && !given.apiKey.startsWith(prefix))
    throw new CliFailure(`The API key of a sandbox must begin with ${prefix}, so that no real key is ever kept here.`, {
      code: 'SANDBOX_KEY',
      hints: ['Leave the key out: the sandbox makes one.'],
    })
  const keys = new Map(database.all('SELECT name, key FROM api_key').map((row) => [row['name'], String(row['key'])]))
  const passwords = new Map(database.all('SELECT * FROM user').map((row) => [row['name'], String(row['password'])]))
  const apiKey = given.apiKey ?? keys.get('main') ?? secret('key')
  const user = (username: string, key = apiKey, password = passwords.get(username) ?? secret('password')): Login => ({
    apiKey: key,
    username,
    password,
  })
  return {
    main: user(given.username ?? 'demo@sandbox.example', apiKey, given.password),
    limited: user('limited@sandbox.example', keys.get('limited') ?? secret('key')),
    noAccess: user('no-access@sandbox.example'),
    accessError: user('access-error@sandbox.example'),
  }
}

/** Makes the credentials known to the service. */
export function storeCredentials(sessions: Sessions, {main, limited, noAccess, accessError}: Credentials): void {
  sessions.addKey('main', main.apiKey)
  sessions.addKey('limited', limited.apiKey, limitedOrganizations)
  sessions.addUser(main.username, main.password, 'granted')
  sessions.addUser(limited.username, limited.password, 'granted', limitedOrganizations)
  sessions.addUser(noAccess.username, noAccess.password, 'none')
  sessions.addUser(accessError.username, accessError.password, 'failing')
}
