import {type OperationId, operationIds} from '../../contract/index.js'
import {FaultProblem} from './effect.js'
import {type FaultName, faultNames, faultTable} from './table.js'

export type FaultRequest = {
  text: string
  name: FaultName
  arguments: string[]
  operation: OperationId | '*'
  /** Which of the operation's requests, counted from 1. */
  from: number
  to: number
  /** 0 to 1. */
  probability: number
}

const pattern = /^([a-z-]+)(?:\((.*)\))?@([a-z.*-]+)(?:#(\d+)(-(\d*))?|%(\d+(?:\.\d+)?))?$/s
/** Short names. */
const aliases: Record<string, FaultName> = {reset: 'reset-before'}

/** Reads `FAULT[(arguments)]@OPERATION[#nth|#from-[to]|%percent]`. Throws `FaultProblem` when it is not one. */
export function parseFault(text: string): FaultRequest {
  const match = pattern.exec(text.trim())
  if (!match) throw new FaultProblem(`"${text}" is not a fault.`)
  const [, word = '', inside, operation = '', nth, open, last, percent] = match
  const name = aliases[word] ?? faultNames.find((known) => known === word)
  if (!name) throw new FaultProblem(`There is no fault "${word}".`)
  const request = {
    text: text.trim(),
    name,
    arguments: toArguments(inside, faultTable[name].takes),
    operation: toOperation(operation),
    from: Number(nth ?? 1),
    to: toLast(nth, open, last),
    probability: percent === undefined ? 1 : Number(percent) / 100,
  }
  if (request.from < 1 || request.to < request.from)
    throw new FaultProblem(`"${text}" means no request: they count from 1.`)
  if (request.probability <= 0 || request.probability > 1)
    throw new FaultProblem(`"${text}": a percentage is from 0 to 100.`)
  return request
}

/** Cut at commas, the last one keeping the rest: a body may hold commas of its own. */
function toArguments(inside: string | undefined, most: number): string[] {
  if (inside === undefined || inside === '') return []
  const parts = inside.split(',')
  if (most === 0) throw new FaultProblem(`This fault takes no arguments: (${inside}).`)
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(',')].filter((_, index) => index < parts.length)
}

function toOperation(text: string): OperationId | '*' {
  const operation = text === '*' ? '*' : operationIds.find((id) => id === text)
  if (operation) return operation
  throw new FaultProblem(`There is no operation "${text}". Operations: *, ${operationIds.join(', ')}.`)
}

function toLast(nth: string | undefined, open: string | undefined, last: string | undefined): number {
  if (nth === undefined) return Number.POSITIVE_INFINITY
  if (open === undefined) return Number(nth)
  return last ? Number(last) : Number.POSITIVE_INFINITY
}
