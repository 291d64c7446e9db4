import type {Environment} from '../../core/environment.js'
import {type CredentialStore, fingerprint, tokenEnd} from '../../settings/credential-store.js'
import {findCredentials} from '../../settings/credentials.js'
import {type Profiles, toCredentialKey} from '../../settings/profiles.js'
import {resolveSettings, type SettingFlags} from '../../settings/settings.js'

export type CredentialRow = {
  inUse: boolean
  source: string
  profile: string
  stage: string
  baseUrl: string
  key: string
  username: string | null
  password: boolean
  expires: string | null
}

/** Stored credentials, and those that this run would use, as fingerprints. */
export async function describeCredentials(
  flags: SettingFlags,
  environment: Environment,
  store: CredentialStore,
  profiles: Profiles,
): Promise<CredentialRow[]> {
  const resolved = resolveSettings(flags, environment, profiles)
  const stage = resolved.values.stage.value ?? ''
  const current = toCredentialKey(resolved.profile, stage)
  const outside = environment['VENDORCTL_API_KEY'] || environment['VENDORCTL_API_KEY_FILE']
  const stored = store.keys().map((key) => describeStored(key, store, key === current && !outside))
  if (!outside) return stored

  const {credentials, tokens} = await findCredentials(resolved, environment, store)
  const row: CredentialRow = {
    inUse: true,
    source: 'environment',
    profile: resolved.profile,
    stage,
    baseUrl: resolved.values.baseUrl.value ?? '',
    key: credentials ? fingerprint(credentials.apiKey) : '',
    username: credentials?.username ?? null,
    password: credentials?.password !== undefined,
    expires: tokenEnd(await tokens.read()),
  }
  return [row, ...stored]
}

function describeStored(key: string, store: CredentialStore, inUse: boolean): CredentialRow {
  const slash = key.lastIndexOf('/')
  const stored = store.find(key)
  return {
    inUse,
    source: 'stored',
    profile: key.slice(0, slash),
    stage: key.slice(slash + 1),
    baseUrl: stored?.baseUrl ?? '',
    key: stored ? fingerprint(stored.apiKey) : '',
    username: stored?.username ?? null,
    password: stored?.password !== undefined,
    expires: tokenEnd(stored?.token),
  }
}
