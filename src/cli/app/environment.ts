import {registerSecret} from './redact.js'

const proxyNames = ['https_proxy', 'all_proxy'] as const

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
  for (const name of proxyNames) registerPassword(taken[name] || taken[name.toUpperCase()])
  return taken
}

/** The environment of a program that the user names. */
export function withoutSecrets(environment: Environment): Environment {
  const isSecret = (name: string) => secretNames.some((secret) => secret === name)
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isSecret(name)))
}

/** The password in the address of a proxy, as it stands there and as the proxy is sent it. */
function registerPassword(address = ''): void {
  const [, password] = /^(?:[^/@]*\/\/)?[^:/@]*:([^@]*)@/.exec(address) ?? []
  registerSecret(password)
  registerSecret(password === undefined ? undefined : decode(password))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
