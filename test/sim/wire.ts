import type {Outgoing} from '../../src/http/transport.js'
import type {toTransportFailure} from '../../src/http/transport-failure.js'
import type {Random} from '../../src/sandbox/seed/random.js'
import {count, type Life} from './life.js'
import type {Answered, Commit, Service} from './service.js'
import type {Stage} from './world.js'

type Failed = {code: string; left: boolean; status?: number; name?: string}
type Outcome = Answered | Failed
const reset: Failed = {code: 'ECONNRESET', left: true}
const respond = (status: number, text: string, type = 'application/json'): Answered => {
  return {status, headers: {'content-type': type}, body: Buffer.from(text)}
}
/** It repeats the secrets of its request. */
const broken = respond(500, '{"message":"no"}')
const gateway = (status: number) => respond(status, '<h1>gateway</h1>', 'text/html')

/** What comes of a request that the service never sees. */
const before: Record<string, Outcome> = {
  unreachable: {code: 'ECONNREFUSED', left: false},
  'reset before': reset,
  'error before': broken,
  'gateway before': gateway(504),
  'page before': gateway(200),
  denied: respond(403, '{"message":"Forbidden"}'),
  throttle: respond(429, '{"message":"Too Many Requests"}'),
  token: respond(401, JSON.stringify([{code: 'API_TOKEN', message: 'no', pointers: [], pointerName: ''}])),
}

/** What comes in place of an answer. After the commit it is the hardest to tell the truth about. */
const after: Record<string, (answered: Answered, random: Random) => Outcome | undefined> = {
  'reset after': () => reset,
  'error after': () => broken,
  'gateway after': (_, random) => gateway(random() < 0.5 ? 502 : 408),
  cut: ({status}) => ({...reset, status}),
  /** A body whose end was lost, or with a byte in it that no JSON holds. */
  garbled({body, ...answered}, random) {
    const at = Math.floor(random() * body.length)
    const [first, rest] = [body.subarray(0, at), body.subarray(at)]
    return {...answered, body: random() < 0.5 ? first : Buffer.concat([first, Buffer.of(0), rest])}
  },
  'page after': () => gateway(200),
  silent: () => undefined,
  /** The answer to a write without the first of its ids. */
  'fewer ids'(answered) {
    const all: unknown = answered.status === 200 ? JSON.parse(`${answered.body}`) : undefined
    const areIds = Array.isArray(all) && all.every(Number.isInteger)
    return areIds ? {...answered, body: Buffer.from(JSON.stringify(all.slice(1)))} : answered
  },
}

/** What comes of a request that the service sees when nobody waits for it any more. */
const late: Record<string, Outcome> = {'late commit': reset, 'late commit, gateway': gateway(504)}
const spent = respond(429, '{"message":"Limit Exceeded"}')
const tooLarge = respond(413, '{"message":"Request Too Long"}')
const spoiling = [...Object.keys(after), ...Object.keys(late)]
const troubles = [...Object.keys(before), 'slow', 'doubled', ...Object.keys(after), ...spoiling]
/** Longest time that a lost request is under way before it is done after all. */
const latestCommit = 100_000

/** The network between all lives and the service: delays, losses and late arrivals by seed. */
export function createNetwork(stage: Stage, service: Service) {
  const {scheduler, choices, rules, trace, meet, mayMeet, faults, wrong} = stage
  let sent = 0
  const tokens = {given: 0, refused: 0, sent: new Set<string>()}
  const revoked = new Set<string>()
  const namesNoRow = choices.chance('names no row', 0.25)
  const mostBytes = choices.chance('small bodies', 0.2) ? choices.integer('most bytes', 300, 3_000) : Infinity
  const connect = (life: Life, toFailure: typeof toTransportFailure) => {
    const open = new Set<number>()
    const fail = ({code, name, ...how}: Failed) =>
      toFailure(Object.assign(new Error(code), {code, ...(name && {name})}), how)
    return {send: (outgoing: Outgoing) => exchange(life, open, fail, outgoing), close: () => undefined}
  }
  return {connect, tokens}

  type Fail = (failed: Failed) => Error
  async function exchange(life: Life, open: Set<number>, fail: Fail, outgoing: Outgoing): Promise<Answered> {
    const {method, url, headers, body = '', limitMilliseconds, signal} = outgoing
    life.effect('send', url.pathname)
    const path = url.pathname.replace(/(.)\/$/, '$1')
    const id = life.nameRequest(`${method} ${path}`)
    const random = choices.of(id)
    const token = headers['access-token'] ?? ''
    tokens.sent.add(token)
    const isWrite = method !== 'GET' && !path.endsWith('/authenticate')
    if (isWrite && !life.isDenied && scheduler.now > life.signalledAt + 50) wrong(`${path} was asked after a signal`)
    const [chance, which] = [random(), random()]
    const met = (chance < rules.trouble && !rules.isDaySpent && troubles[Math.floor(which * troubles.length)]) || ''
    const picked = met && meet(id, met) ? met : ''
    if (picked === 'token') revoked.add(token)
    const trouble = token !== '' && revoked.has(token) ? 'token' : picked
    const isRead = trouble === '' && body !== '' && method === 'GET'
    const isUnfiltered = isRead && mayMeet(`${id} bare`, 'filter lost', rules.trouble / 8)
    const isLarge = Buffer.byteLength(body) > mostBytes && meet(`${id} large`, 'too large')
    let isHeld = trouble === 'silent' && !isLarge && mayMeet(`${id} held`, 'late commit, silent', 0.5)
    const [there, back] = [1 + random() * 40, 1 + random() * 40]
    const lateness = random() ** 3 * latestCommit // often right after the first look
    const shown = isUnfiltered ? 'filter lost' : isHeld ? 'late commit, silent' : trouble
    trace(`${life.pid} ${id}${shown ? ` (${shown})` : ''}`)
    const {promise, resolve, reject} = Promise.withResolvers<Answered>()
    const secrets = [headers['x-api-key'], token, service.login.password].join(' ')
    let isSettled = false
    let own: readonly Commit[] = []
    const order = sent++
    open.add(order)
    const settle = (milliseconds: number, outcome: Outcome) =>
      life.plan(milliseconds, () => {
        if (!isSettled) arrive(outcome)
        isSettled = true
        signal?.removeEventListener('abort', stop)
        open.delete(order)
      })
    const stop = () => {
      if (!isSettled) settle(0, {code: 'ABORT_ERR', left: true, name: 'AbortError'})
      commitLate()
    }
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop)
    settle(limitMilliseconds, {code: 'ETIMEDOUT', left: true, name: 'TimeoutError'})

    if (isHeld) scheduler.after(limitMilliseconds, commitLate)
    if (trouble in late && !isLarge) scheduler.after(there + lateness, performLate)
    const instead = rules.isDaySpent ? spent : isLarge ? tooLarge : (before[trouble] ?? late[trouble])
    if (instead) settle('code' in instead ? there : there + back, instead)
    else if (!isHeld) scheduler.after(there, () => answer(perform()))
    const isDoubled = trouble === 'doubled' && !isLarge && service.isReplayable(method, path)
    if (isDoubled) scheduler.after(there + random() * 2_000, replay)
    return promise

    /** A gateway sends on what it had kept, once nobody waits for it any more. */
    function commitLate(): void {
      if (isHeld) scheduler.after(lateness, performLate)
      isHeld = false
    }

    function perform(): Answered {
      const first = service.commits.length
      const answered = service.answer({method, path, headers, body: isUnfiltered ? '' : body}, life.pid)
      own = service.commits.slice(first)
      trace(`${id}: the service says ${answered.status}`)
      if (answered.status === 401) meet(`${id} ended`, 'token')
      if (path.endsWith('/authenticate')) revoked.delete(/"accessToken":"([^"]+)/.exec(`${answered.body}`)?.[1] ?? '')
      return answered
    }

    function answer(given: Answered): void {
      const isVague = namesNoRow && [400, 422].includes(given.status) && meet(`${id} vague`, 'names no row')
      const vague = `${given.body}`.replaceAll(/"pointers":\[[^\]]*\]/g, '"pointers":[]') // of none of the records
      const answered = isVague ? {...given, body: Buffer.from(vague)} : given
      const change = after[trouble]
      const outcome = change ? change(answered, random) : answered
      if (outcome) settle(back + (trouble === 'slow' ? random() * 20_000 : 0), outcome)
    }

    function performLate(): void {
      perform()
      for (const commit of own) commit.isLate = true
    }

    /** A gateway sends a request again that was answered, before others change the same: no more changes, or is counted. */
    function replay(): void {
      const later = service.commits.slice(service.commits.indexOf(own.at(-1) as Commit) + 1)
      if (later.some(({key}) => own.some((one) => one.key === key))) return
      const [before, seen] = [service.commits.length, [...service.seen]]
      perform()
      service.commits.length = before
      for (const [operation, count] of seen) service.seen.set(operation, count)
    }

    function arrive(outcome: Outcome): void {
      const isFailed = 'code' in outcome
      life.isDenied = !isFailed && outcome.status === 401
      trace(`${id}: ${isFailed ? outcome.code : `${outcome.status} ${outcome.body.length}`}`)
      const isWhole = trouble !== 'page before' && !spoiling.includes(trouble)
      if (isFailed) reject(fail(outcome))
      else resolve(outcome === broken ? {...broken, body: Buffer.from(`{"message":"no ${secrets}"}`)} : outcome)
      if (isFailed || (!isWhole && outcome.status !== 401)) return
      if (order > Math.min(...open)) count(faults, 'answers out of order')
      if (outcome.status === 401) tokens.refused++
      if (outcome.status === 200 && path.endsWith('/authenticate')) tokens.given++
    }
  }
}
