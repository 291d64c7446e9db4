import {stageNames} from '../contract/index.js'
import {CliFailure} from '../errors.js'
import {CredentialStore} from './credential-store.js'
import type {Environment} from './environment.js'
import {Profiles, toCredentialKey} from './profiles.js'
import {findSandbox} from './sandbox-state.js'

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
function leadsToSandbox(environment: Environment, url: string): boolean {
  const store = new CredentialStore(environment)
  const keys = stageNames.map((stage) => toCredentialKey(sandboxProfile, stage))
  const isOfSandbox = (key: string) => store.find(key)?.baseUrl === url
  return new Profiles(environment).find(sandboxProfile)?.baseUrl === url && keys.some(isOfSandbox)
}

/** One sandbox a user: a second one would take the profile from the first. Throws `locked`. */
export function refuseSecond(environment: Environment): void {
  const running = findSandbox(environment)
  if (!running) return
  throw new CliFailure(`A sandbox is running already at ${running.url}.`, {
    code: 'SANDBOX_RUNNING',
    exit: 'locked',
    hints: leadsToSandbox(environment, running.url)
      ? ['Use it with --profile sandbox, or stop it with: vendorctl sandbox stop']
      : [
          'The profile "sandbox" does not lead to it any more. The next start makes it anew; first: vendorctl sandbox stop',
        ],
  })
}
