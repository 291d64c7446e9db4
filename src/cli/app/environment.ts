import {addressNames, secretNames, withheldVariable} from '../../jobs/withheld.js'
import {registerAddress, registerSecret} from '../terminal/redact.js'

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
