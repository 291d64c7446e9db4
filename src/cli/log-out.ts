import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {CredentialStore} from './credential-store.js'
import {findCredentials} from './credentials.js'
import type {Environment} from './environment.js'
import {stateFolder} from './folders.js'
import {Profiles, toCredentialKey} from './profiles.js'
import {resolveSettings, type SettingFlags} from './settings.js'

/** Deletes stored keys, passwords and tokens; returns which profiles and stages had any. */
export async function logOut(
  flags: SettingFlags & {all?: boolean | undefined},
  environment: Environment,
): Promise<string[]> {
  const store = new CredentialStore(environment)
  if (flags.all) return forgetAll(store, environment)

  const resolved = resolveSettings(flags, environment, new Profiles(environment))
  const key = toCredentialKey(resolved.profile, resolved.values.stage.value ?? '')
  const stored = store.find(key) !== undefined
  if (stored) await store.remove([key])
  const fromEnvironment = environment['VENDORCTL_API_KEY'] || environment['VENDORCTL_API_KEY_FILE']
  if (!fromEnvironment) return stored ? [key] : []
  const {tokens} = await findCredentials(resolved, environment, store)
  const hasToken = (await tokens.read()) !== undefined
  await tokens.write(undefined)
  return stored || hasToken ? [key] : []
}

async function forgetAll(store: CredentialStore, environment: Environment): Promise<string[]> {
  const keys = store.keys()
  if (keys.length > 0) await store.remove(keys)
  rmSync(join(stateFolder(environment), 'tokens'), {recursive: true, force: true})
  return keys
}
