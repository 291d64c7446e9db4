import {writeIds} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {Exchange} from '../perform.js'
import {createRandom, type Random} from '../random.js'
import {type Effect, type FaultKind, FaultProblem, type Tools} from './effect.js'
import {type FaultRequest, parseFault} from './grammar.js'
import {faultNames, faultTable} from './table.js'

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
  fire(exchange: Exchange): Effect[]
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
    fire: (exchange) => armed.filter((fault) => isHit(fault, exchange, random)).map(({effect}) => effect),
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
    exit: 'usage',
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
