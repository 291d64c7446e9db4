import {isReadId, operations} from '../../contract/index.js'
import type {Exchange} from '../handlers/perform.js'
import {isOwned, tableOf} from '../store/store-tables.js'
import * as answers from './answers.js'
import {type Effect, type FaultKind, FaultProblem, type Tools} from './effect.js'
import {toRestock, toSales} from './stock-faults.js'
import * as wire from './wire.js'

/** Whether it answers a list, which has pages and an order. */
const isRead = ({id}: Exchange) => isReadId(id) && !('answer' in operations[id])
/** Whether the dates of a filter mean anything to the operation. */
const hasRange = ({id}: Exchange) => 'range' in operations[id]
/** Whether it reads records of organizations; the others are the same for everybody. */
const readsOwned = ({id}: Exchange) => isReadId(id) && isOwned(tableOf(id))
const hasGetBody = ({method, body}: Exchange) => method === 'GET' && (body?.length ?? 0) > 0

/** Every way to misbehave: faults of the connection, of the answer, and of the request and the world around it. */
export const faultTable = {
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
    (count) => ({
      deliver: wire.commitLate(count),
    }),
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
  'token-expire': counted('requests', 0, 'Ends a token after so many requests; with 0 every time.', toExpiry),
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
    about: 'Before a read, adds so many records at its front and deletes so many there.',
    create: ([inserts, deletes]) => {
      const mutation = {inserts: toCount(inserts, 0), deletes: toCount(deletes, 0)}
      return {applies: readsOwned, before: () => ({mutation})}
    },
  },
  sell: counted(
    'items',
    1,
    'Before and after the request, sells so many items: of the selections that it names, or of any when it names none.',
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
    'Answers as if the clock of the service were so many seconds ahead, or behind when negative.',
    (given = '3600') => {
      if (!/^-?\d{1,10}$/.test(given)) throw new FaultProblem(`"${given}" is not a number of seconds.`)
      return {
        before: ({now}) => ({now: now + Number(given) * 1_000}),
        after: (answer, {now}) => ({...answer, headers: {...answer.headers, date: new Date(now).toUTCString()}}),
      }
    },
  ),
} as const satisfies Record<string, FaultKind>

export type FaultName = keyof typeof faultTable

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
