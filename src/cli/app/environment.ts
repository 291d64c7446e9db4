import {registerSecret} from './redact.js'

/** The environment of this run, as a copy: what is secret is taken out of the process, so that no child inherits it. */
export type Environment = Readonly<Record<string, string | undefined>>

const secretNames = ['VENDORCTL_API_KEY', 'VENDORCTL_PASSWORD'] as const

let taken: Environment | undefined

/** The environment as it was when the program started. Secrets are gone from `process.env` afterwards. */
export function takeEnvironment(): Environment {
  if (taken) return taken
  taken = {...process.env}
  for (const name of secretNames) {
    registerSecret(taken[name])
    delete process.env[name]
  }
  return taken
}
