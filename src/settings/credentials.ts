import {promisify} from 'node:util'
import {createTokenFile} from '../client/shared-tokens.js'
import type {Credentials, TokenStore} from '../client/types.js'
import type {Environment} from '../core/environment.js'
import {CliFailure} from '../core/errors.js'
import {stateFolder} from '../core/folders.js'
import {readVariable} from '../core/small-file.js'
import {toBaseUrl} from '../http/address.js'
import {counted} from '../values/counted.js'
import {defined} from '../values/defined.js'
import {CredentialStore, fingerprint} from './credential-store.js'
import {toCredentialKey} from './profiles.js'
import {type Resolved, resolveSettings, type SettingFlags} from './settings.js'

export type CredentialOrigin = 'environment' | 'credentialCommand' | 'stored' | 'none'

export type FoundCredentials = {origin: CredentialOrigin; credentials: Credentials | undefined; tokens: TokenStore}

/** The command that prints credentials, and how long it may take. */
export type CredentialCommand = {command: string; seconds: number}

/**
 * Finds key, user and password in the environment (or the files it names), from `credentialCommand`, or stored, in this
 * order. Throws `denied` for a named source without any, `unsafe` when the stored key belongs to another service.
 */
export async function findCredentials(
  resolved: Resolved,
  environment: Environment,
  store = new CredentialStore(environment),
): Promise<FoundCredentials> {
  const fromEnvironment = withoutEmpty({
    apiKey: readVariable(environment, 'VENDORCTL_API_KEY'),
    username: readVariable(environment, 'VENDORCTL_USERNAME'),
    password: readVariable(environment, 'VENDORCTL_PASSWORD'),
  })
  const apiKey = fromEnvironment.apiKey
  if (apiKey) return ownTokens('environment', {...fromEnvironment, apiKey}, resolved, environment)

  const command = toCredentialCommand(resolved.values)
  if (command) {
    const credentials = layOver(await findByCommand(command), fromEnvironment)
    return ownTokens('credentialCommand', credentials, resolved, environment)
  }

  return findStored(resolved, fromEnvironment, environment, store)
}

/** The fingerprint of the key that is in force; undefined without one. */
export async function findKey(resolved: Resolved, environment: Environment): Promise<string | undefined> {
  const {credentials} = await findCredentials(resolved, environment)
  return credentials && fingerprint(credentials.apiKey)
}

/** The settings in force, and the credentials for them. */
export async function resolveLogin(flags: SettingFlags, environment: Environment) {
  const resolved = resolveSettings(flags, environment)
  return {resolved, found: await findCredentials(resolved, environment)}
}

/** The setting `credentialCommand`; undefined without one. */
export function toCredentialCommand(values: Resolved['values']): CredentialCommand | undefined {
  const {value: command} = values.credentialCommand
  return command ? {command, seconds: Number(values.credentialTimeout.value)} : undefined
}

/** Throws `denied`, with the ways to log in, when there are no credentials. */
export function requireCredentials(found: FoundCredentials, profile: string): Credentials {
  if (found.credentials) return found.credentials
  throw new CliFailure(`There are no credentials for profile "${profile}".`, {
    code: 'NO_CREDENTIALS',
    hints: [
      'Log in with: vendorctl auth login',
      'Or set VENDORCTL_API_KEY, VENDORCTL_USERNAME and VENDORCTL_PASSWORD (or the same names with _FILE).',
      'To try everything on a local service: vendorctl sandbox start',
    ],
  })
}

function ownTokens(
  origin: CredentialOrigin,
  credentials: Credentials,
  resolved: Resolved,
  environment: Environment,
): FoundCredentials {
  const {baseUrl, stage} = resolved.values
  const facts = [baseUrl.value ?? '', stage.value ?? '', credentials.apiKey, credentials.username ?? '']
  return {origin, credentials, tokens: createTokenFile(stateFolder(environment), facts)}
}

/** A user that a variable names beside the stored key has other rights, and so a token of its own. */
function findStored(
  resolved: Resolved,
  extra: Partial<Credentials>,
  environment: Environment,
  store: CredentialStore,
): FoundCredentials {
  const {baseUrl, stage} = resolved.values
  const key = toCredentialKey(resolved.profile, stage.value ?? '')
  const stored = store.find(key)
  if (!stored) return {origin: 'none', credentials: undefined, tokens: store.tokens(key)}
  if (stored.baseUrl !== baseUrl.value) throw otherService(stored.baseUrl, baseUrl.value ?? '')
  const {apiKey, username, password} = stored
  const credentials = layOver({apiKey, ...defined({username, password})}, extra)
  if (credentials.username !== username) return ownTokens('stored', credentials, resolved, environment)
  return {origin: 'stored', credentials, tokens: store.tokens(key, apiKey)}
}

/** The password of one user does not log in another. */
function layOver({password, ...known}: Credentials, extra: Partial<Credentials>): Credentials {
  const isOther = extra.username !== undefined && extra.username !== known.username
  return {...known, ...(isOther ? {} : defined({password})), ...extra}
}

/** The password that the command prints for databases; undefined when it prints none. */
export async function readDatabasePassword(command: CredentialCommand): Promise<string | undefined> {
  const {databasePassword} = await runCommand(command)
  return typeof databasePassword === 'string' && databasePassword !== '' ? databasePassword : undefined
}

async function findByCommand(command: CredentialCommand): Promise<Credentials> {
  const {apiKey, username, password} = await runCommand(command)
  if (typeof apiKey !== 'string' || !apiKey) throw commandFailure(command, 'its JSON has no "apiKey"')
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {apiKey, ...withoutEmpty({username: text(username), password: text(password)})}
}

async function runCommand(asked: CredentialCommand): Promise<Record<string, unknown>> {
  const [program = '', ...args] = splitCommand(asked)
  let printed: unknown
  try {
    const {execFile} = process.getBuiltinModule('node:child_process')
    const {stdout} = await promisify(execFile)(program, args, {timeout: asked.seconds * 1000, maxBuffer: 65_536})
    printed = JSON.parse(stdout)
  } catch (error) {
    throw commandFailure(asked, whyCommandFailed(error, asked))
  }
  if (typeof printed === 'object' && printed !== null) return {...printed}
  throw commandFailure(asked, 'it printed no JSON object')
}

const splitCommand = ({command}: CredentialCommand) => command.trim().split(/\s+/)

function whyCommandFailed(error: unknown, {seconds}: CredentialCommand): string {
  if (error instanceof SyntaxError) return 'it did not print JSON'
  const {code, killed} = error as {code?: unknown; killed?: boolean}
  if (killed) return `it did not finish within ${counted(seconds, 'second')}`
  return code === 'ENOENT' ? 'there is no such program' : `it ended with ${String(code ?? 'an error')}`
}

function commandFailure(asked: CredentialCommand, why: string): CliFailure {
  return new CliFailure(`The credentialCommand "${splitCommand(asked)[0]}" gave no credentials: ${why}.`, {
    code: 'CREDENTIAL_COMMAND',
    hints: [
      'It must print {"apiKey":"…","username":"…","password":"…","databasePassword":"…"} on its standard output.',
    ],
  })
}

/** Throws for an address with a password, which is not to be printed. */
function otherService(stored: string, asked: string): CliFailure {
  toBaseUrl(asked)
  return new CliFailure(`The stored key was entered for ${stored}, but the service is now ${asked}; it was not sent.`, {
    code: 'OTHER_SERVICE',
    exit: 'unsafe',
    hints: ['Enter the key for this service with: vendorctl auth login'],
  })
}

function withoutEmpty(credentials: {[Key in keyof Credentials]?: Credentials[Key] | undefined}): Partial<Credentials> {
  return Object.fromEntries(
    Object.entries(credentials).filter(([, value]) => typeof value === 'string' && value !== ''),
  )
}
