import {gatewayAnswers, type RefusalCode, refusals} from '../../contract/index.js'
import {isNumber, type JsonValue, numberText} from '../../values/json.js'

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
