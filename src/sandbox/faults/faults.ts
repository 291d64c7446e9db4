import {isReadId, type OperationId, operationIds, operations, writeIds} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {Exchange} from '../handlers/perform.js'
import {createRandom, type Random} from '../seed/random.js'
import {isOwned, tableOf} from '../store/store-tables.js'
import * as answers from './answers.js'
import {type Effect, type FaultKind, FaultProblem, type Tools} from './effect.js'
import {toRestock, toSales} from './stock-faults.js'
import * as wire from './wire.js'

type FaultStatus = {
  /** As it was written. */
  fault: string
  /** Requests of its operation since it was set. */
  seen: number
  /** Requests that it misbehaved on. */
  fired: number
}

export type Faults = ReturnType<typeof createFaults>

type Armed = {request: FaultRequest; effect: Effect; seen: number; fired: number}

/** The faults that were set. Random choices are the same for the same seed. */
export function createFaults({sessions, store}: Omit<Tools, 'random'>, defaultSeed: number) {
  let armed: Armed[] = []
  let random = createRandom(defaultSeed)
  const tools = {sessions, store, random: () => random()}
  const list = (): FaultStatus[] => armed.map(({request, seen, fired}) => ({fault: request.text, seen, fired}))
  return {
    /** Replaces all faults; counters start again. Throws a usage failure and changes nothing when one is not a fault. */
    set(texts: string[], seed = defaultSeed): FaultStatus[] {
      armed = texts.map((text) => arm(text, tools))
      random = createRandom(seed)
      return list()
    },
    clear(): void {
      armed = []
      random = createRandom(defaultSeed)
    },
    list,
    /** The faults that affect this request, which is counted. */
    fire: (exchange: Exchange) =>
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
  /** The first of the operation's requests that it is for, counted from 1. */
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

/** Cut at commas, the last one keeping the rest: a body may contain commas. */
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

/** Whether an operation answers a list, which has pages and an order. */
const isRead = ({id}: Exchange) => isReadId(id) && !('answer' in operations[id])
/** Whether the dates of a filter mean anything to the operation. */
const hasRange = ({id}: Exchange) => 'range' in operations[id]
/** Whether an operation reads records that belong to organizations. */
const readsOwned = ({id}: Exchange) => isReadId(id) && isOwned(tableOf(id))
const hasGetBody = ({method, body}: Exchange) => method === 'GET' && (body?.length ?? 0) > 0

/** Every way to misbehave: faults of the connection, of the answer, and of the request and the world around it. */
const faultTable = {
  'reset-before': plain('Cuts the connection before anything is done. Also called reset.', {deliver: wire.reset}),
  'reset-after-commit': plain('Does the work, and cuts the connection instead of answering.', {
    deliver: async (given) => {
      given.answer()
      await wire.reset(given)
    },
  }),
  'late-commit': counted(
    'milliseconds',
    1_000,
    'Cuts the connection immediately, and does the work later.',
    (count) => ({deliver: wire.commitLate(count)}),
  ),
  'trunc-cl': plain('Cuts an answer that has a content-length.', {deliver: wire.cutShort('length')}),
  'trunc-chunked': plain('Cuts an answer that is sent in chunks.', {deliver: wire.cutShort('chunked')}),
  'close-delim': plain('Cuts an answer that ends where the connection ends.', {deliver: wire.cutShort('close')}),
  'stall-headers': plain('Does the work, and never ends the headers of its answer.', {deliver: wire.stallHeaders}),
  slow: counted('milliseconds', 1_000, 'Does the work, and answers later.', (count) => ({
    deliver: wire.answerLate(count),
  })),
  drip: counted('milliseconds', 50, 'Answers one byte at a time, by default 50 milliseconds apart.', (count) => ({
    deliver: wire.drip(count),
  })),
  big: counted('megabytes', 100, 'Answers a list of white space, by default 100 megabytes.', (count) => ({
    deliver: wire.sendSpaces(count, false),
  })),
  bomb: counted('megabytes', 1_024, 'Answers with gzip that unpacks to 1024 megabytes by default.', (count) => ({
    deliver: wire.sendSpaces(count, true),
  })),
  status: {
    form: '(status[,body][,after-commit])',
    takes: 2,
    about:
      'Answers this status: with html, empty, a refusal code, or this text; or (CODE) alone. Before the work is done, or after it.',
    create: answers.toStatus,
  },
  throttle: worded('(seconds)', 'Refuses as over the rate; with seconds also sends Retry-After.', (seconds) => {
    const headers = seconds ? {'retry-after': seconds} : {}
    return {instead: () => answers.toGateway(429, 'Too Many Requests', headers)}
  }),
  quota: plain('Refuses as over the daily quota.', {instead: () => answers.toGateway(429, 'Limit Exceeded')}),
  redirect: worded('(url[,status])', 'Answers 302, or another 3xx, to this URL.', answers.toRedirect),
  'reject-get-body': plain('Refuses a GET that has a body, with HTML, as some gateways do.', {
    applies: hasGetBody,
    instead: () => answers.toHtml(403),
  }),
  'dup-error': worded(
    '(all|first)',
    'Refuses a create as a duplicate, blaming all elements or only the first.',
    (blame = 'all') => {
      if (blame !== 'all' && blame !== 'first') throw new FaultProblem(`"${blame}" is neither all nor first.`)
      return {
        applies: (exchange) => answers.duplicateCodeOf(exchange) !== null,
        instead: (exchange) => answers.toDuplicate(exchange, blame),
      }
    },
  ),
  json: worded('(text)', 'Does the work, and answers 200 with this text; a refusal stays one.', (text = '') => ({
    after: (answer) => (answer.status >= 400 ? answer : {...answer, status: 200, body: Buffer.from(text)}),
  })),
  ctype: worded('(type)', 'Changes the content type of the answer, by default to text/html.', (type = 'text/html') => ({
    after: (answer) => ({...answer, contentType: answers.checkHeader('content-type', type)}),
  })),
  hdr: {
    form: '(name,value)',
    takes: 2,
    about: 'Sets a header of the answer.',
    create: ([name = '', value = '']) => {
      const header = {[name.toLowerCase()]: answers.checkHeader(name, value)}
      return {after: (answer) => ({...answer, headers: {...answer.headers, ...header}})}
    },
  },
  shuffle: {
    ...plain('Answers a page with its records in another order.', {}),
    create: (_given, {random}) => ({applies: isRead, after: (answer) => answers.shuffle(answer, random)}),
  },
  'strip-get-body': plain('Loses the body of a GET, as some proxies do.', {
    applies: hasGetBody,
    before: () => ({body: undefined}),
  }),
  'token-expire': counted('requests', 0, 'Ends a token after this many requests; with 0 every time.', toExpiry),
  clamp: counted('days', 7, 'Clamps dates to fewer days, by default 7.', (maximumDays) => ({
    applies: hasRange,
    before: () => ({maximumDays}),
  })),
  'page-ceiling': counted('records', 100, 'Clamps page sizes to fewer records, by default 100.', (most) => ({
    applies: isRead,
    before: () => ({maximumSize: Math.max(1, most)}),
  })),
  mutate: {
    form: '(inserts,deletes)',
    takes: 2,
    about: 'Before a read, adds and deletes this many records at its front.',
    create: ([inserts, deletes]) => {
      const mutation = {inserts: toCount(inserts, 0), deletes: toCount(deletes, 0)}
      return {applies: readsOwned, before: () => ({mutation})}
    },
  },
  sell: counted(
    'items',
    1,
    'Before and after the request, sells items: of the selections that it names, or of any when it names none.',
    toSales,
  ),
  restock: {
    form: '(delta)',
    takes: 1,
    about:
      'Before the request, another person changes the stock of each selection in its body, as far as there is room.',
    create: ([delta], tools) => toRestock(delta, tools),
  },
  skew: worded(
    '(seconds)',
    'Answers as if the clock of the service were this many seconds ahead, or behind when negative.',
    (given = '3600') => {
      if (!/^-?\d{1,10}$/.test(given)) throw new FaultProblem(`"${given}" is not a number of seconds.`)
      return {
        before: ({now}) => ({now: now + Number(given) * 1_000}),
        after: (answer, {now}) => ({...answer, headers: {...answer.headers, date: new Date(now).toUTCString()}}),
      }
    },
  ),
} as const satisfies Record<string, FaultKind>

type FaultName = keyof typeof faultTable

export const faultNames = Object.keys(faultTable) as FaultName[]

function plain(about: string, effect: Effect): FaultKind {
  return {form: '', takes: 0, about, create: () => effect}
}

function worded(form: string, about: string, create: (given?: string) => Effect): FaultKind {
  return {form, takes: 1, about, create: ([given]) => create(given)}
}

function counted(
  what: string,
  otherwise: number,
  about: string,
  create: (count: number, tools: Tools) => Effect,
): FaultKind {
  return {form: `(${what})`, takes: 1, about, create: ([given], tools) => create(toCount(given, otherwise), tools)}
}

/** A whole number of 0 or more; the other when none is given. */
function toCount(given: string | undefined, otherwise: number): number {
  if (given === undefined || given === '') return otherwise
  if (/^\d{1,9}$/.test(given.trim())) return Number(given)
  throw new FaultProblem(`"${given}" is not a whole number.`)
}

function toExpiry(most: number, {sessions}: Tools): Effect {
  const uses = new Map<string, number>()
  return {
    applies: ({token}) => {
      if (token === undefined) return false
      uses.set(token, (uses.get(token) ?? 0) + 1)
      return (uses.get(token) ?? 0) > most
    },
    before: ({token}) => {
      sessions.expire(token ?? '')
      return {}
    },
  }
}
