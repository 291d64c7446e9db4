import type {Credentials, Token} from '../../client/types.js'
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
  const {profile, values} = resolved
  const place = {inUse: true, source: 'environment', profile, stage, baseUrl: values.baseUrl.value ?? ''}
  return [toRow(place, credentials, await tokens.read()), ...stored]
}

function describeStored(key: string, store: CredentialStore, inUse: boolean): CredentialRow {
  const slash = key.lastIndexOf('/')
  const stored = store.find(key)
  const [profile, stage] = [key.slice(0, slash), key.slice(slash + 1)]
  return toRow({inUse, source: 'stored', profile, stage, baseUrl: stored?.baseUrl ?? ''}, stored, stored?.token)
}

type Place = Pick<CredentialRow, 'inUse' | 'source' | 'profile' | 'stage' | 'baseUrl'>

function toRow(place: Place, credentials: Credentials | undefined, token: Token | undefined): CredentialRow {
  const {apiKey, username = null, password} = credentials ?? {}
  const key = apiKey === undefined ? '' : fingerprint(apiKey)
  return {...place, key, username, password: password !== undefined, expires: tokenEnd(token)}
}
