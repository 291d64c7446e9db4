import {registerSecret} from './redact.js'

/** A copy of the environment of this run; the process keeps no secret in it, so that no child inherits one. */
export type Environment = Readonly<Record<string, string | undefined>>

const secretNames = ['VENDORCTL_API_KEY', 'VENDORCTL_PASSWORD', 'VENDORCTL_NOTIFY_URL'] as const

/** The environment as it is when the program starts. Secrets are gone from `process.env` afterwards. */
export function takeEnvironment(): Environment {
  const taken = {...process.env}
  for (const name of secretNames) {
    registerSecret(taken[name])
    delete process.env[name]
  }
  return taken
}

/** The environment of a program that the user names. */
export function withoutSecrets(environment: Environment): Environment {
  const isSecret = (name: string) => secretNames.some((secret) => secret === name)
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isSecret(name)))
}
