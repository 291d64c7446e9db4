import {type OperationId, operationIds, writeIds} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {Exchange} from '../handlers/perform.js'
import {createRandom, type Random} from '../seed/random.js'
import {type Effect, type FaultKind, FaultProblem, type Tools} from './effect.js'
import {type FaultName, faultNames, faultTable} from './fault-table.js'

type FaultStatus = {
  /** As it was written. */
  fault: string
  /** Requests of its operation since it was set. */
  seen: number
  /** Requests that it misbehaved on. */
  fired: number
}

export type Faults = {
  /** Replaces all faults; counters start again. Throws a usage failure and changes nothing when one is not a fault. */
  set(texts: string[], seed?: number): FaultStatus[]
  add(...texts: string[]): FaultStatus[]
  clear(): void
  list(): FaultStatus[]
  /** The faults that this request meets; counts it. */
  fire(exchange: Exchange): {text: string; effect: Effect}[]
}

type Armed = {request: FaultRequest; effect: Effect; seen: number; fired: number}

/** The faults that were set. What is left to chance is the same for the same seed. */
export function createFaults({sessions, store}: Omit<Tools, 'random'>, defaultSeed: number): Faults {
  let armed: Armed[] = []
  let random = createRandom(defaultSeed)
  const tools = {sessions, store, random: () => random()}
  const list = () => armed.map(({request, seen, fired}) => ({fault: request.text, seen, fired}))
  return {
    set(texts, seed = defaultSeed) {
      armed = texts.map((text) => arm(text, tools))
      random = createRandom(seed)
      return list()
    },
    add(...texts) {
      armed = [...armed, ...texts.map((text) => arm(text, tools))]
      return list()
    },
    clear() {
      armed = []
      random = createRandom(defaultSeed)
    },
    list,
    fire: (exchange) =>
      armed.filter((fault) => isHit(fault, exchange, random)).map(({request: {text}, effect}) => ({text, effect})),
  }
}

function arm(text: string, tools: Tools): Armed {
  try {
    const request = parseFault(text)
    const kind: FaultKind = faultTable[request.name]
    return {request, effect: kind.create(request.arguments, tools), seen: 0, fired: 0}
  } catch (error) {
    if (error instanceof FaultProblem) throw toFailure(error)
    throw error
  }
}

/** A usage failure with every fault that there is. */
function toFailure({message}: FaultProblem): CliFailure {
  const known = faultNames.map((name) => `  ${name}${faultTable[name].form}: ${faultTable[name].about}`)
  return new CliFailure(message, {
    code: 'UNKNOWN_FAULT',
    hints: [
      `A fault is written FAULT[(arguments)]@OPERATION[#nth|#from-|%percent], such as reset@${writeIds[0]}#2`,
      'The faults are:',
      ...known,
    ],
  })
}

function isHit(fault: Armed, exchange: Exchange, random: Random): boolean {
  const {operation, from, to, probability} = fault.request
  if (operation !== '*' && operation !== exchange.id) return false
  fault.seen += 1
  if (fault.seen < from || fault.seen > to) return false
  if (probability < 1 && random() >= probability) return false
  if (fault.effect.applies?.(exchange) === false) return false
  fault.fired += 1
  return true
}

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
const aliases: Record<string, FaultName> = {reset: 'reset-before'}

/** Reads `FAULT[(arguments)]@OPERATION[#nth|#from-[to]|%percent]`. Throws `FaultProblem` when it is not one. */
function parseFault(text: string): FaultRequest {
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
    throw new FaultProblem(`"${text}" names no request: they are counted from 1.`)
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
