import type {RefusalCode} from '../contract/index.js'
import {isNumber, isRecord, type JsonValue, numberText} from '../values/json.js'
import {type ErrorObject, type Pointer, Refused} from './refusal.js'
import {toNames} from './standard-request.js'

/** How an element of a set is named in an error. */
export type Name = {pointerName: string; pointer: Pointer}

/** Gathers what is wrong with a set, so that every guilty element is named. [seed] [dec] */
export type Problems = {
  /** Blames an element. It is named as the set names its elements, unless the problem says another way. */
  add(code: RefusalCode, message: string, index: number, name?: Name): void
  /** Refuses the set when anything was wrong. */
  throwIfAny(): void
}

/** The worst is said first, and the first decides the status. */
const order: readonly string[] = [
  'DESERIALIZATION_ERROR',
  'MISSING_REQUIRED_DATA',
  'DATE_PARSING',
  'SITE_VALIDATION',
  'GENERIC_ERROR',
  'DATA_ACCESS',
  'MISSING_RECORD',
]

/** `nameOf` says how an element is named: updates by record id, creates by their place in the body. */
export function createProblems(nameOf: (index: number) => Name): Problems {
  const errors = new Map<string, ErrorObject>()
  return {
    add(code, message, index, name = nameOf(index)) {
      const key = `${code} ${name.pointerName} ${message}`
      const error = errors.get(key) ?? {code, message, pointers: [], pointerName: name.pointerName}
      if (!error.pointers.includes(name.pointer)) error.pointers.push(name.pointer)
      errors.set(key, error)
    },
    throwIfAny() {
      if (errors.size === 0) return
      const rank = ({code}: ErrorObject) => (order.includes(code) ? order.indexOf(code) : order.length)
      throw new Refused([...errors.values()].sort((one, other) => rank(one) - rank(other)))
    },
  }
}

/** The name of an element of a create: its zero-based place. [dec] */
export function nameByIndex(index: number): Name {
  return {pointerName: 'index', pointer: index}
}

/** The name of an element of an update: its record id, or its place when it has none. */
export function nameById(body: JsonValue | undefined): (index: number) => Name {
  return (index) => {
    const element = Array.isArray(body) ? body[index] : undefined
    const id = isRecord(element) ? toNames(element).get('id') : undefined
    if (!isNumber(id)) return nameByIndex(index)
    return {pointerName: 'id', pointer: typeof id === 'number' ? id : numberText(id)}
  }
}
