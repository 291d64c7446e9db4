import {CliFailure} from '../core/errors.js'
import {shown} from '../values/shown.js'
import type {PlainRequest} from './request.js'
import {isFraming, isHeaderName} from './token-header.js'
import type {RawRequest} from './types.js'

const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])
const harmlessMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const bodylessMethods = new Set(['GET', 'HEAD'])
/** Checks a raw request. Throws a `CliFailure` (usage) at a method or header that cannot be given. */
export function toRawRequest({method, path, headers = {}, body}: RawRequest, tokenHeader: string): PlainRequest {
  const verb = method.toUpperCase()
  if (!methods.has(verb)) throw wrongMethod(method)
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  for (const [name, value] of Object.entries(given)) checkHeader(name, value, tokenHeader)
  const sent = body ?? (bodylessMethods.has(verb) ? undefined : '')
  return {
    operation: 'api',
    method: verb,
    path,
    headers: {...(body !== undefined && {'content-type': 'application/json'}), ...given},
    ...(sent !== undefined && {body: sent}),
    isWrite: !harmlessMethods.has(verb),
  }
}

function checkHeader(name: string, value: string, tokenHeader: string): void {
  if (isFraming(name) || name === tokenHeader.toLowerCase()) throw ownHeader(name)
  if (isHeaderName(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return
  throw new CliFailure(`The header "${shown(name)}" has a name or value that no header can have.`, {
    code: 'HEADER',
    exit: 'usage',
  })
}

function wrongMethod(method: string): CliFailure {
  return new CliFailure(`"${shown(method)}" is no HTTP method that can be sent.`, {
    code: 'METHOD',
    exit: 'usage',
    hints: ['Use GET, HEAD, OPTIONS, POST, PUT, PATCH or DELETE.'],
  })
}

function ownHeader(name: string): CliFailure {
  return new CliFailure(`The header ${name} is set by this program and cannot be given.`, {
    code: 'HEADER',
    exit: 'usage',
    hints: ['Key and token come from the profile: vendorctl auth login'],
  })
}
