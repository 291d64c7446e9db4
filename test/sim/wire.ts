import type {Choices} from './choices.js'
import type {Life, Network} from './life.js'
import type {Scheduler} from './scheduler.js'
import type {Answered, Service} from './service.js'

type Outgoing = {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string
  limitMilliseconds: number
  signal?: AbortSignal
}

/** What goes wrong with one request. Those after the commit are the hardest to tell the truth about. */
const before = ['unreachable', 'reset before', 'error before', 'gateway before', 'page before'] as const
const afterCommit = ['reset after', 'error after', 'gateway after', 'cut', 'garbled', 'page after', 'silent'] as const
const late = ['late commit', 'late commit, gateway'] as const
const troubles = [...before, 'throttle', 'token', 'slow', 'doubled', ...afterCommit, ...afterCommit, ...late] as const
export type Trouble = (typeof troubles)[number]

export type WireOptions = {
  scheduler: Scheduler
  service: Service
  choices: Choices
  /** The share of requests that go wrong; 0 once faults are switched off. */
  trouble: () => number
  /** Called with each fault by its id; false leaves it out. */
  onFault: (id: string, kind: string) => boolean
  /** Called with each answer that arrives whole, and whether it came before that to an earlier request of its life. */
  onAnswer: (path: string, status: number, hasOvertaken: boolean) => void
  trace: (text: string) => void
}

/** Longest time that a lost request is under way before it is done after all. */
const latestCommit = 100_000

/** The network between all lives and the service: delays, losses and late arrivals by seed. */
export function createNetwork(options: WireOptions): Network {
  const {scheduler, service, choices, trace} = options
  const openOnes = new WeakMap<Life, Set<number>>()
  let sent = 0
  return (life, toFailure) => {
    const fail = (code: string, left: boolean, more: {status?: number; name?: string} = {}) =>
      toFailure(Object.assign(new Error(code), {code, ...(more.name && {name: more.name})}), {left, ...more})
    return {send: (outgoing: Outgoing) => exchange(life, outgoing, fail), close: () => undefined}
  }

  async function exchange(life: Life, outgoing: Outgoing, fail: Fail): Promise<Answered> {
    const {method, url, headers, body = '', limitMilliseconds, signal} = outgoing
    life.effect('send', url.pathname)
    const path = url.pathname.replace(/(.)\/$/, '$1')
    const id = life.nameRequest(`${method} ${path}`)
    const random = choices.of(id)
    const trouble = pickTrouble(id, random)
    const [there, back] = [1 + random() * 40, 1 + random() * 40]
    const lateness = random() * latestCommit
    trace(`${life.pid} ${id}${trouble ? ` (${trouble})` : ''}`)
    const {promise, resolve, reject} = Promise.withResolvers<Answered>()
    let isSettled = false
    const open = openOnes.get(life) ?? new Set<number>()
    openOnes.set(life, open)
    const order = sent++
    open.add(order)
    const deliver = (milliseconds: number, settle: () => void) =>
      life.plan(milliseconds, () => {
        if (!isSettled) settle()
        isSettled = true
        open.delete(order)
      })
    const refuse = (milliseconds: number, ...how: Parameters<Fail>) =>
      deliver(milliseconds, () => {
        trace(`${id}: ${how[0]}`)
        reject(fail(...how))
      })
    const answer = (milliseconds: number, answered: Answered) =>
      deliver(milliseconds, () => {
        trace(`${id}: ${answered.status} ${answered.body.length}`)
        if (!isSpoiling(trouble) || answered.status === 401)
          options.onAnswer(path, answered.status, order > Math.min(...open))
        resolve(answered)
      })
    const perform = () => {
      const answered = service.answer({method, path, headers: lower(headers), body}, life.pid)
      trace(`${id}: the service says ${answered.status}`)
      return answered
    }
    const stop = () => isSettled || refuse(0, 'ABORT_ERR', true, {name: 'AbortError'})
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop)
    refuse(limitMilliseconds, 'ETIMEDOUT', true, {name: 'TimeoutError'})

    if (trouble === 'unreachable') refuse(there, 'ECONNREFUSED', false)
    else if (trouble === 'reset before') refuse(there, 'ECONNRESET', true)
    else if (trouble === 'error before') answer(there + back, refusal(500, '{"message":"no"}'))
    else if (trouble === 'gateway before') answer(there + back, gateway(504))
    else if (trouble === 'page before') answer(there + back, gateway(200))
    else if (trouble === 'throttle') answer(there + back, refusal(429, '{"message":"Too Many Requests"}'))
    else if (trouble === 'token') answer(there + back, refusal(401, tokenErrors))
    else if (trouble === 'late commit' || trouble === 'late commit, gateway') {
      scheduler.after(there + lateness, () => {
        const before = service.commits.length
        perform()
        for (const commit of service.commits.slice(before)) commit.isLate = true
      })
      if (trouble === 'late commit') refuse(there, 'ECONNRESET', true)
      else answer(there + back, gateway(504))
    } else scheduler.after(there, () => respond(perform()))
    if (trouble === 'doubled' && service.isReplayable(method, path)) scheduler.after(there + random() * 2_000, replay)
    return promise

    /** A gateway sends a request again that was answered; what that changes is the same, and is not counted twice. */
    function replay(): void {
      const [before, seen] = [service.commits.length, [...service.seen]]
      perform()
      service.commits.length = before
      for (const [operation, count] of seen) service.seen.set(operation, count)
    }

    function respond(answered: Answered): void {
      const {status} = answered
      if (trouble === 'silent') return
      if (trouble === 'reset after') refuse(back, 'ECONNRESET', true)
      else if (trouble === 'error after') answer(back, refusal(500, '{"message":"no"}'))
      else if (trouble === 'gateway after') answer(back, gateway(502))
      else if (trouble === 'page after') answer(back, gateway(200))
      else if (trouble === 'cut') refuse(back, 'ECONNRESET', true, {status})
      else if (trouble === 'garbled') answer(back, {...answered, body: garble(answered.body, random)})
      else answer(back + (trouble === 'slow' ? random() * 20_000 : 0), answered)
    }
  }

  function pickTrouble(id: string, random: () => number): Trouble | undefined {
    const [chance, which] = [random(), random()]
    if (chance >= options.trouble()) return undefined
    const trouble = troubles[Math.floor(which * troubles.length)] ?? 'slow'
    return options.onFault(id, trouble) ? trouble : undefined
  }
}

type Fail = (code: string, left: boolean, more?: {status?: number; name?: string}) => Error

const tokenErrors = JSON.stringify([{code: 'API_TOKEN', message: 'no', pointers: [], pointerName: ''}])

const refusal = (status: number, text: string, type = 'application/json'): Answered => {
  return {status, headers: {'content-type': type}, body: Buffer.from(text)}
}
const gateway = (status: number) => refusal(status, '<h1>gateway</h1>', 'text/html')

const isSpoiling = (trouble: Trouble | undefined) =>
  new Set<unknown>(['page before', ...afterCommit, ...late]).has(trouble)

/** A body whose end was lost, or with a byte in it that no JSON holds. */
function garble(body: Buffer, random: () => number): Buffer {
  const at = Math.floor(random() * body.length)
  return random() < 0.5 ? body.subarray(0, at) : Buffer.concat([body.subarray(0, at), Buffer.of(0), body.subarray(at)])
}

const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
