import {rmSync} from 'node:fs'
import {join} from 'node:path'
import type {Environment} from '../../core/environment.js'
import {usage} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import {CredentialStore} from '../../settings/credential-store.js'
import {findCredentials} from '../../settings/credentials.js'
import {toCredentialKey} from '../../settings/profiles.js'
import {resolveSettings, type SettingFlags} from '../../settings/settings.js'

/** Throws `usage` for --all together with one profile or stage. */
export function refuseNarrowed(given: readonly string[]): void {
  const narrow = ['profile', 'stage'].find((name) => given.includes(name))
  if (narrow === undefined) return
  throw usage(
    `--all logs out of every profile and stage, and --${narrow} of one; nothing was deleted.`,
    `Leave out --all, or leave out --${narrow}.`,
  )
}

/** Deletes stored keys, passwords and tokens; returns which profiles and stages had any. */
export async function logOut(
  flags: SettingFlags & {all?: boolean | undefined},
  environment: Environment,
): Promise<string[]> {
  const store = new CredentialStore(environment)
  if (flags.all) return removeAll(store, environment)

  const resolved = resolveSettings(flags, environment)
  const key = toCredentialKey(resolved.profile, resolved.values.stage.value ?? '')
  const removed = await store.remove((one) => one === key)
  const fromEnvironment = environment['VENDORCTL_API_KEY'] || environment['VENDORCTL_API_KEY_FILE']
  if (!fromEnvironment) return removed
  const {tokens} = await findCredentials(resolved, environment, store)
  const hasToken = (await tokens.read()) !== undefined
  await tokens.write(undefined)
  return removed.length > 0 || hasToken ? [key] : []
}

async function removeAll(store: CredentialStore, environment: Environment): Promise<string[]> {
  const removed = await store.remove(() => true)
  rmSync(join(stateFolder(environment), 'tokens'), {recursive: true, force: true})
  return removed
}
