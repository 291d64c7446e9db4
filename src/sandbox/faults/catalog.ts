import {validateHeaderName, validateHeaderValue} from 'node:http'
import {findRefusal, operations} from '../../contract/index.js'
import type {Exchange} from '../perform.js'
import * as answers from './answers.js'
import {type Effect, type FaultKind, FaultProblem, type Tools} from './effect.js'
import * as wire from './wire.js'

const isRead = ({id}: Exchange) => operations[id].kind === 'read'
const hasRange = ({id}: Exchange) => 'range' in operations[id]
const hasGetBody = ({method, body}: Exchange) => method === 'GET' && (body?.length ?? 0) > 0

/** Every way to misbehave. */
export const catalog = {
  'reset-before': {
    form: '',
    takes: 0,
    about: 'Cuts the connection before anything is done. Also called reset.',
    create: () => ({deliver: wire.reset}),
  },
  'reset-after-commit': {
    form: '',
    takes: 0,
    about: 'Does the work, and cuts the connection instead of answering.',
    create: () => ({
      deliver: async (given) => {
        given.answer()
        await wire.reset(given)
      },
    }),
  },
  'late-commit': {
    form: '(milliseconds)',
    takes: 1,
    about: 'Cuts the connection at once, and does the work later.',
    create: ([given]) => {
      const milliseconds = toCount(given, 1_000)
      return {deliver: (connection) => wire.commitLate(connection, milliseconds)}
    },
  },
  'trunc-cl': {
    form: '',
    takes: 0,
    about: 'Cuts an answer that said its length.',
    create: () => ({deliver: wire.truncate}),
  },
  'trunc-chunked': {
    form: '',
    takes: 0,
    about: 'Cuts an answer that is sent in chunks.',
    create: () => ({deliver: wire.truncateChunked}),
  },
  'close-delim': {
    form: '',
    takes: 0,
    about: 'Cuts an answer that ends where the connection ends.',
    create: () => ({deliver: wire.closeDelimited}),
  },
  'stall-headers': {
    form: '',
    takes: 0,
    about: 'Does the work, and never ends the headers of its answer.',
    create: () => ({deliver: wire.stallHeaders}),
  },
  drip: {
    form: '(milliseconds)',
    takes: 1,
    about: 'Answers one byte at a time, 50 milliseconds apart unless said otherwise.',
    create: ([given]) => {
      const milliseconds = toCount(given, 50)
      return {deliver: (connection) => wire.drip(connection, milliseconds)}
    },
  },
  big: {
    form: '(megabytes)',
    takes: 1,
    about: 'Answers a list of white space, 100 megabytes unless said otherwise.',
    create: ([given]) => {
      const megabytes = toCount(given, 100)
      return {deliver: (connection) => wire.sendBig(connection, megabytes)}
    },
  },
  bomb: {
    form: '(megabytes)',
    takes: 1,
    about: 'Answers with gzip that unpacks to 1024 megabytes unless said otherwise.',
    create: ([given]) => {
      const megabytes = toCount(given, 1_024)
      return {deliver: (connection) => wire.sendBomb(connection, megabytes)}
    },
  },
  status: {
    form: '(status[,body][,after-commit])',
    takes: 2,
    about:
      'Answers this status: with html, empty, a refusal code, or this text; or (CODE) alone. Before the work is done, or after it.',
    create: toStatus,
  },
  throttle: {
    form: '(seconds)',
    takes: 1,
    about: 'Refuses as over the rate; with seconds also says Retry-After.',
    create: ([seconds]) => ({
      instead: () => answers.toGateway(429, 'Too Many Requests', seconds ? {'retry-after': seconds} : {}),
    }),
  },
  quota: {
    form: '',
    takes: 0,
    about: 'Refuses as over the quota of the day.',
    create: () => ({instead: () => answers.toGateway(429, 'Limit Exceeded')}),
  },
  redirect: {
    form: '(url)',
    takes: 1,
    about: 'Answers 302 to this URL.',
    create: ([location = '']) => {
      checkHeader('location', location)
      return {instead: () => answers.toGateway(302, 'Found', {location})}
    },
  },
  'reject-get-body': {
    form: '',
    takes: 0,
    about: 'Refuses a GET that has a body, with HTML, as some gateways do.',
    create: () => ({applies: hasGetBody, instead: () => answers.toHtml(403)}),
  },
  'strip-get-body': {
    form: '',
    takes: 0,
    about: 'Loses the body of a GET, as some proxies do.',
    create: () => ({applies: hasGetBody, before: (exchange) => void delete exchange.body}),
  },
  'dup-error': {
    form: '(all|first)',
    takes: 1,
    about: 'Refuses a create as a duplicate, blaming all elements or only the first.',
    create: ([blame = 'all']) => ({
      applies: ({id}) => id in answers.duplicateCodes,
      instead: (exchange) => answers.toDuplicate(exchange, blame),
    }),
  },
  'token-expire': {
    form: '(requests)',
    takes: 1,
    about: 'Ends a token after so many requests; 0 at once, every time.',
    create: ([given], tools) => toExpiry(toCount(given, 0), tools),
  },
  json: {
    form: '(text)',
    takes: 1,
    about: 'Does the work, and answers 200 with this text.',
    create: ([text = '']) => ({after: (answer) => ({...answer, status: 200, body: Buffer.from(text)})}),
  },
  ctype: {
    form: '(type)',
    takes: 1,
    about: 'Changes the content type of the answer, to text/html unless said otherwise.',
    create: ([contentType = 'text/html']) => {
      checkHeader('content-type', contentType)
      return {after: (answer) => ({...answer, contentType})}
    },
  },
  hdr: {
    form: '(name,value)',
    takes: 2,
    about: 'Sets a header of the answer.',
    create: ([name = '', value = '']) => {
      checkHeader(name, value)
      return {after: (answer) => ({...answer, headers: {...answer.headers, [name.toLowerCase()]: value}})}
    },
  },
  shuffle: {
    form: '',
    takes: 0,
    about: 'Answers a page with its records in another order.',
    create: (_given, {random}) => ({applies: isRead, after: (answer) => answers.shuffle(answer, random)}),
  },
  clamp: {
    form: '(days)',
    takes: 1,
    about: 'Clamps dates to fewer days, 7 unless said otherwise.',
    create: ([given]) => {
      const maximumDays = toCount(given, 7)
      return {applies: hasRange, before: (exchange) => void Object.assign(exchange, {maximumDays})}
    },
  },
  mutate: {
    form: '(inserts,deletes)',
    takes: 2,
    about: 'Before a read, adds so many records at its front and deletes so many there.',
    create: ([inserts, deletes]) => {
      const mutation = {inserts: toCount(inserts, 0), deletes: toCount(deletes, 0)}
      return {
        applies: (exchange) => isRead(exchange) && exchange.id !== 'alerts.codes',
        before: (exchange) => void Object.assign(exchange, {mutation}),
      }
    },
  },
  skew: {
    form: '(seconds)',
    takes: 1,
    about: 'Answers as if the clock of the service stood so many seconds ahead, or behind when negative.',
    create: ([given = '3600']) => {
      if (!/^-?\d{1,10}$/.test(given)) throw new FaultProblem(`"${given}" is not a number of seconds.`)
      return {
        before: (exchange) => void Object.assign(exchange, {now: exchange.now + Number(given) * 1_000}),
        after: (answer, {now}) => ({...answer, headers: {...answer.headers, date: new Date(now).toUTCString()}}),
      }
    },
  },
} as const satisfies Record<string, FaultKind>

export type FaultName = keyof typeof catalog

export const faultNames = Object.keys(catalog) as FaultName[]

const afterCommit = ',after-commit'

function toStatus([first = '', rest]: string[]): Effect {
  if (findRefusal(first)) return {instead: () => answers.toRefusalAnswer(first, undefined)}
  const status = /^\d{3}$/.test(first) ? Number(first) : 0
  if (status < 200 || status > 599) throw new FaultProblem(`"${first}" is neither a status nor a refusal code.`)
  if (rest === afterCommit.slice(1)) return {after: () => answers.toStatusAnswer(status, undefined)}
  if (!rest?.endsWith(afterCommit)) return {instead: () => answers.toStatusAnswer(status, rest)}
  return {after: () => answers.toStatusAnswer(status, rest.slice(0, -afterCommit.length))}
}

function toExpiry(most: number, {sessions}: Tools): Effect {
  const uses = new Map<string, number>()
  return {
    applies: ({token}) => {
      if (token === undefined) return false
      uses.set(token, (uses.get(token) ?? 0) + 1)
      return (uses.get(token) ?? 0) > most
    },
    before: ({token}) => sessions.expire(token ?? ''),
  }
}

function toCount(given: string | undefined, otherwise: number): number {
  if (given === undefined || given === '') return otherwise
  if (/^\d{1,9}$/.test(given.trim())) return Number(given)
  throw new FaultProblem(`"${given}" is not a whole number.`)
}

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch {
    throw new FaultProblem(`"${name}: ${value}" cannot be a header.`)
  }
}
