import {toCount} from './arguments.js'
import {type Effect, type FaultKind, FaultProblem, type Tools} from './effect.js'
import {hasGetBody, hasRange, isRead} from './exchange-kinds.js'

/** Faults of the request and of the world around it: the service itself answers as it always does. */
export const requestFaults = {
  'strip-get-body': {
    form: '',
    takes: 0,
    about: 'Loses the body of a GET, as some proxies do.',
    create: () => ({applies: hasGetBody, before: (exchange) => void delete exchange.body}),
  },
  'token-expire': {
    form: '(requests)',
    takes: 1,
    about: 'Ends a token after so many requests; 0 at once, every time.',
    create: ([given], tools) => toExpiry(toCount(given, 0), tools),
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
  'page-ceiling': {
    form: '(records)',
    takes: 1,
    about: 'Clamps page sizes to fewer records, 100 unless said otherwise.',
    create: ([given]) => {
      const maximumSize = Math.max(1, toCount(given, 100))
      return {applies: isRead, before: (exchange) => void Object.assign(exchange, {maximumSize})}
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
