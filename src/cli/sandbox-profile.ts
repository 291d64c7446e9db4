import {stageNames} from '../contract/index.js'
import {CredentialStore} from './credential-store.js'
import type {Environment} from './environment.js'
import {Profiles, toCredentialKey} from './profiles.js'

const sandboxProfile = 'sandbox'

export type SandboxLogin = {apiKey: string; username: string; password: string}

/** Makes `--profile sandbox` work at once, on every stage. */
export async function saveSandboxProfile(environment: Environment, url: string, login: SandboxLogin): Promise<void> {
  await new Profiles(environment).set(sandboxProfile, {baseUrl: url})
  const store = new CredentialStore(environment)
  await store.writeAll(
    Object.fromEntries(stageNames.map((stage) => [toCredentialKey(sandboxProfile, stage), {baseUrl: url, ...login}])),
  )
}
