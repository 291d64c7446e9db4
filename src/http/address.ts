import type {Stage} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'

/** Whether a host name, as `URL` writes it, is this very machine: localhost, 127.0.0.0/8, [::1]. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/**
 * The base URL, checked: https, or http to loopback; no user name, query or fragment. Throws a `CliFailure`: `usage`
 * for a text that is no such address, `unsafe` for plain http to another machine.
 */
export function toBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !text.includes('://')) throw wrong('has no scheme or is not an address')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw wrong('has a scheme other than https')
  if (url.username !== '' || url.password !== '') throw wrong('contains a user name or password')
  if (url.search !== '' || url.hash !== '') throw wrong('contains a query or a fragment')
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw plainHttp(url)
  return url
}

/**
 * `{base_url}/{stage}/{path}`. The result always has the origin of the base URL and lies below the stage, whatever the
 * path contains. Throws a `CliFailure` (usage) at a path that would leave it.
 */
export function toUrl({baseUrl, stage}: {baseUrl: string; stage: Stage}, path: string): URL {
  const base = toBaseUrl(baseUrl)
  const folder = `${base.pathname.replace(/(?<!\/)\/+$/, '')}/${stage}/`
  const url = new URL(`${base.origin}${folder}${path.replace(/^[/\\]+/, '')}`)
  const isWithin = url.origin === base.origin && url.pathname.startsWith(folder)
  if (isWithin && !/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return url
  throw new CliFailure('The path is outside the stage; it must be a path below the stage, such as /machines.', {
    code: 'PATH_OUTSIDE',
  })
}

function wrong(why: string): CliFailure {
  return new CliFailure(`The base URL ${why}.`, {
    code: 'BASE_URL',
    hints: ['Write it as https://api.example.com, without the stage.'],
  })
}

function plainHttp(url: URL): CliFailure {
  return new CliFailure(`The base URL uses plain http to ${url.host}; anyone on the way could read the API key.`, {
    code: 'PLAIN_HTTP',
    hints: ['Use https://. Plain http is accepted for this machine only (localhost, 127.0.0.1, [::1]).'],
  })
}
