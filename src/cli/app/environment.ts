import {registerAddress, registerSecret} from './redact.js'

const proxyNames = ['https_proxy', 'all_proxy'] as const

/** A copy of the environment of this run; the process keeps no secret in it, so that no child inherits one. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Of a database, with its password or without. */
const addressNames = ['VENDORCTL_BUDGET', 'VENDORCTL_DB'] as const
const secretNames = ['VENDORCTL_API_KEY', 'VENDORCTL_PASSWORD', 'VENDORCTL_NOTIFY_URL'] as const

/** The environment as it is when the program starts. Secrets are gone from `process.env` afterwards. */
export function takeEnvironment(): Environment {
  const taken = {...process.env}
  for (const name of secretNames) {
    registerSecret(taken[name])
    delete process.env[name]
  }
  for (const name of proxyNames) registerAddress(taken[name] || taken[name.toUpperCase()] || '')
  for (const name of addressNames) if (registerAddress(taken[name] ?? '')) delete process.env[name]
  registerSecret(taken['PGPASSWORD']) // which is for other programs, too
  return taken
}

/** The environment of a program that the user names. */
export function withoutSecrets(environment: Environment): Environment {
  const isSecret = (name: string) => [...secretNames, ...addressNames].some((secret) => secret === name)
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isSecret(name)))
}
