import type {RefusalCode} from '../../contract/index.js'
import {isNumber, isRecord, type JsonRecord, type JsonValue, numberText} from '../../values/json.js'
import {type Pointer, Refused, toPointer} from './refused.js'
import {toNames} from './standard-request.js'

/** The name of an element of a set in an error. */
export type Name = {pointerName: string; pointer: Pointer}

/** Collects the problems of a set, so that every faulty element is named. [seed] [dec] */
export type Problems = ReturnType<typeof createProblems>

type Problem = {code: RefusalCode; message: string; pointerName: string; pointers: Set<Pointer>}

/** The worst comes first, and the first decides the status. */
const order: readonly string[] = [
  'DESERIALIZATION_ERROR',
  'MISSING_REQUIRED_DATA',
  'DATE_PARSING',
  'SITE_VALIDATION',
  'SELECTION_VALIDATION',
  'GENERIC_ERROR',
  'DATA_ACCESS',
  'MISSING_RECORD',
]

/** `nameOf` says how an element is named: updates by record id, creates by their place in the body. */
export function createProblems(nameOf: (index: number) => Name) {
  const problems = new Map<string, Problem>()
  return {
    /** Reports an element, by default under the name that `nameOf` gives it. */
    add(code: RefusalCode, message: string, index: number, {pointerName, pointer} = nameOf(index)): void {
      const key = `${code} ${pointerName} ${message}`
      const problem = problems.get(key) ?? {code, message, pointerName, pointers: new Set()}
      problem.pointers.add(pointer)
      problems.set(key, problem)
    },
    /** Refuses the set when anything was wrong. */
    throwIfAny(): void {
      if (problems.size === 0) return
      const rank = ({code}: Problem) => (order.includes(code) ? order.indexOf(code) : order.length)
      const sorted = [...problems.values()].sort((one, other) => rank(one) - rank(other))
      throw new Refused(
        sorted.map(({code, message, pointers, pointerName}) => ({code, message, pointers: [...pointers], pointerName})),
      )
    },
  }
}

/** Blames elements with the key of an earlier one; those without a key are skipped. */
export function blameTwice<Item extends {index: number; record: JsonRecord}>(
  elements: readonly Item[],
  keyOf: (record: JsonRecord) => string | number | bigint | undefined,
  blame: (index: number) => void,
): void {
  const seen = new Set<string | number | bigint>()
  for (const {index, record} of elements) {
    const key = keyOf(record)
    if (key === undefined) continue
    if (seen.has(key)) blame(index)
    seen.add(key)
  }
}

/** Reports elements for the same record: they would affect fewer rows than there are elements. */
export function blameRepeated(elements: readonly {index: number; record: JsonRecord}[], problems: Problems): void {
  const keyOf = ({id}: JsonRecord) => (isNumber(id) ? numberText(id) : undefined)
  blameTwice(elements, keyOf, (index) =>
    problems.add('UNEXPECTED_RESULT_COUNT', 'A record is named more than once in the set.', index),
  )
}

/** The name of an element of a create: its zero-based place. [dec] */
export function nameByIndex(index: number): Name {
  return {pointerName: 'index', pointer: index}
}

/** The name of an element of an update: the id of its record, or its place when it has none. */
export function nameById(body: JsonValue | undefined, pointerName: string): (index: number) => Name {
  return (index) => {
    const element = Array.isArray(body) ? body[index] : undefined
    const id = isRecord(element) ? toNames(element).get(pointerName.toLowerCase()) : undefined
    if (!isNumber(id)) return nameByIndex(index)
    return {pointerName, pointer: toPointer(id)}
  }
}
