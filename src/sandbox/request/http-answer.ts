import {STATUS_CODES} from 'node:http'
import {type JsonValue, printJson} from '../../values/json.js'
import {type ErrorObject, GatewayRefused, Refused, refuse} from './refused.js'

/** The answer to the caller. An empty body goes without content type. */
export type Answer = {status: number; headers: Record<string, string>; body: Buffer; contentType?: string}

const lineEnd = '\r\n'
const jsonType = 'application/json; charset=utf-8'

export function toAnswer(status: number, value: JsonValue | ErrorObject[] | undefined): Answer {
  const body = value === undefined ? '' : printJson(value as JsonValue)
  return {status, headers: {}, body: Buffer.from(body)}
}

/** The answer to a refusal; any other error is the service's own, and is answered as unexpected. */
export function toRefusal(error: unknown): Answer {
  if (error instanceof Refused) return toAnswer(error.status, error.errors)
  if (error instanceof GatewayRefused) return toAnswer(error.status, {message: error.message})
  const words = error instanceof Error ? error.message : String(error)
  return toAnswer(500, refuse('UNKNOWN_ERROR', `The service failed unexpectedly: ${words}`).errors)
}

export function toHeaders({headers, body, contentType}: Answer): Record<string, string> {
  return body.length === 0 ? headers : {'content-type': contentType ?? jsonType, ...headers}
}

/** The head of an answer as bytes, for a connection that Node does not answer. */
export function toHead(answer: Answer, more: Record<string, string>): Buffer {
  const headers = Object.entries({...toHeaders(answer), ...more}).map(([name, value]) => `${name}: ${value}`)
  const first = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`
  return Buffer.from([first, ...headers, '', ''].join(lineEnd), 'latin1')
}
