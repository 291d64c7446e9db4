import {addressNames, secretNames, withheldVariable} from '../../jobs/withheld.js'
import {registerAddress, registerSecret} from '../terminal/redact.js'

const proxyNames = ['https_proxy', 'all_proxy'] as const

/** A copy of the environment of this run; the process keeps no secret in it, so that no child inherits one. */
export type Environment = Readonly<Record<string, string | undefined>>

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
  delete process.env[withheldVariable]
  return taken
}
