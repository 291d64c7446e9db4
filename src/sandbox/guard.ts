import type {IncomingHttpHeaders} from 'node:http'
import {forbidden} from './refusal.js'

const localHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Keeps web pages out: a request under another host name, or from any page at all, is refused. 403 and not 421, which
 * has a meaning of its own in this API.
 */
export function guard({host, origin}: IncomingHttpHeaders): void {
  if (origin !== undefined || host === undefined) throw forbidden()
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
  if (!localHosts.has(name)) throw forbidden()
}
