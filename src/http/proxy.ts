import type {Environment} from '../core/environment.js'
import {CliFailure} from '../core/errors.js'
import {isLoopback} from './address.js'

/**
 * The proxy that the environment names for an address, as curl reads it: `https_proxy` or `all_proxy` in either case,
 * `no_proxy` a list of hosts, `.suffixes`, `host:port` or `*`. Never one for loopback, never one for plain http.
 * Throws a `CliFailure` (usage) at a proxy that is not an http or https address.
 */
export function findProxy(url: URL, environment: Environment): URL | undefined {
  if (url.protocol !== 'https:' || isLoopback(url.hostname)) return undefined
  const address = named(environment, 'https_proxy') || named(environment, 'all_proxy')
  if (!address || isExempt(url, named(environment, 'no_proxy'))) return undefined
  const text = address.includes('://') ? address : `http://${address}`
  const proxy = URL.canParse(text) ? new URL(text) : undefined
  if (proxy && (proxy.protocol === 'http:' || proxy.protocol === 'https:')) return proxy
  throw new CliFailure('The proxy named by the environment is not an http:// or https:// address.', {
    code: 'PROXY_ADDRESS',
    hints: ['Fix or unset HTTPS_PROXY and ALL_PROXY.'],
  })
}

function named(environment: Environment, name: string): string {
  return (environment[name] || environment[name.toUpperCase()] || '').trim()
}

function isExempt(url: URL, list: string): boolean {
  const port = url.port || '443'
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => covers(entry, url.hostname, port))
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [, name = entry, onlyPort] = /^(.+?):(\d+)$/.exec(entry) ?? []
  if (onlyPort !== undefined && onlyPort !== port) return false
  const domain = name.replace(/^\*?\./, '')
  return host === domain || host.endsWith(`.${domain}`)
}
