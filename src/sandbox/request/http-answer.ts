import {STATUS_CODES} from 'node:http'
import {gatewayAnswers, type RefusalCode, refusals} from '../../contract/index.js'
import {isNumber, type JsonValue, numberText, printJson} from '../../values/json.js'

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

export type Pointer = string | number

/** One element of the error list. [seed] */
export type ErrorObject = {code: string; message: string; pointers: Pointer[]; pointerName: string}

/** A refused request; the status is that of its first error. Thrown inside a transaction, it rolls the set back. */
export class Refused extends Error {
  readonly errors: ErrorObject[]
  readonly status: number

  constructor(errors: ErrorObject[]) {
    super(errors.map(({message}) => message).join(' '))
    this.errors = errors
    this.status = refusals[errors[0]?.code as RefusalCode]?.status ?? 400
  }
}

/** A refusal with one error. The message defaults to the text of the contract. */
export function refuse(code: RefusalCode, message?: string, pointers: Pointer[] = [], pointerName = ''): Refused {
  return new Refused([{code, message: message ?? refusals[code].about, pointers, pointerName}])
}

/** A refusal of the gateway before the service: an object with a message, and no list. */
export class GatewayRefused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A refusal of the gateway that the contract knows. */
export function refuseAtGateway(name: keyof typeof gatewayAnswers): GatewayRefused {
  const {status, message} = gatewayAnswers[name]
  return new GatewayRefused(status, message)
}

/** A value for an error list, in which numbers that JSON readers would round are text. */
export function toPointer(value: JsonValue | undefined): Pointer {
  if (typeof value === 'number' || typeof value === 'string') return value
  return isNumber(value) ? numberText(value) : JSON.stringify(value ?? null)
}
