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

/** Whether `--profile sandbox` still leads to the sandbox at `url`: a profile can be changed or removed while it runs. */
export function leadsToSandbox(environment: Environment, url: string): boolean {
  const store = new CredentialStore(environment)
  const keys = stageNames.map((stage) => toCredentialKey(sandboxProfile, stage))
  const isOfSandbox = (key: string) => store.find(key)?.baseUrl === url
  return new Profiles(environment).find(sandboxProfile)?.baseUrl === url && keys.some(isOfSandbox)
}
