import {validateHeaderName, validateHeaderValue} from 'node:http'
import {FaultProblem} from './effect.js'

/** A whole number of 0 or more; the other when none is given. */
export function toCount(given: string | undefined, otherwise: number): number {
  if (given === undefined || given === '') return otherwise
  if (/^\d{1,9}$/.test(given.trim())) return Number(given)
  throw new FaultProblem(`"${given}" is not a whole number.`)
}

/** Refuses what no HTTP answer could carry. */
export function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch {
    throw new FaultProblem(`"${name}: ${value}" cannot be a header.`)
  }
}
