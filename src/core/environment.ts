import {registerAddress, registerSecret} from './redact.js'

/** The names of variables that programs which the user names do not get, for a command that is a job. */
export const withheldVariable = 'VENDORCTL_WITHHELD'

/** Variables with secrets of this program. */
const secretNames = ['VENDORCTL_API_KEY', 'VENDORCTL_PASSWORD', 'VENDORCTL_NOTIFY_URL'] as const
/** Variables with addresses of databases, which may contain a password. */
const addressNames = ['VENDORCTL_BUDGET', 'VENDORCTL_DB'] as const
export const usuallyWithheld: readonly string[] = [...secretNames, ...addressNames, 'PGPASSWORD']
const proxyNames = ['https_proxy', 'all_proxy'] as const

/** The variables of this run, copied; `process.env` keeps no secret, so that no child inherits one. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The environment as it is when the program starts. Secrets are gone from `process.env` afterwards. */
export function takeEnvironment(): Environment {
  const copy = {...process.env}
  for (const name of secretNames) {
    registerSecret(copy[name])
    delete process.env[name]
  }
  for (const name of proxyNames) registerAddress(copy[name] || copy[name.toUpperCase()] || '')
  for (const name of addressNames) if (registerAddress(copy[name] ?? '')) delete process.env[name]
  registerSecret(copy['PGPASSWORD']) // which is for other programs, too
  delete process.env[withheldVariable]
  return copy
}

/** The environment of a program that the user names, such as that of `--deliver`. */
export function withoutSecrets(environment: Environment): Environment {
  const withheld = environment[withheldVariable]?.split(' ') ?? usuallyWithheld
  const names = new Set([withheldVariable, ...withheld])
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.has(name)))
}
