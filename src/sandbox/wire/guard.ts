import type {IncomingMessage} from 'node:http'
import {refuseAtGateway} from '../refusal.js'

const localHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Keeps web pages out: a request under another host name, or from any page at all, is refused. 403 and not 421, which
 * has a meaning of its own in this API.
 */
export function guard({headersDistinct: {host: hosts = [], origin}}: IncomingMessage): void {
  const [host, ...others] = hosts
  if (origin !== undefined || host === undefined || others.length > 0) throw refuseAtGateway('FORBIDDEN')
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
  if (!localHosts.has(name)) throw refuseAtGateway('FORBIDDEN')
}
