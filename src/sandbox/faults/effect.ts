import type {Socket} from 'node:net'
import type {Clock} from '../../core/clock.js'
import type {Exchange} from '../handlers/perform.js'
import type {Answer} from '../request/http-answer.js'
import type {Sessions} from '../request/logins.js'
import type {Random} from '../seed/random.js'
import type {Store} from '../store/record-store.js'

/** The raw connection of a request, for faults that break the rules of HTTP. */
export type Wire = {
  socket: Socket
  /** Performs the request, commit included, and returns what should have been answered. */
  answer: () => Answer
  clock: Clock
  /** Aborted when the sandbox stops. */
  signal: AbortSignal
}

export type Deliver = (wire: Wire) => Promise<void>

/** Effects of a fault; each part is left out when it does nothing there. */
export type Effect = {
  /** Whether it can affect this request; else it does not count as fired. */
  applies?: (exchange: Exchange) => boolean
  /** Changes to the request before it is performed. */
  before?: (exchange: Exchange) => Partial<Exchange>
  /** Answers instead of performing. */
  instead?: (exchange: Exchange) => Answer
  /** Changes the answer. */
  after?: (answer: Answer, exchange: Exchange) => Answer
  /** Takes the connection over. */
  deliver?: Deliver
}

export type Tools = {sessions: Sessions; store: Store; random: Random}

/** A row of the table of faults. */
export type FaultKind = {
  /** Form of its arguments. */
  form: string
  /** Most arguments that it takes; the last one keeps the commas that are left. */
  takes: number
  about: string
  create: (given: string[], tools: Tools) => Effect
}

/** The reason why a text is not a fault. */
export class FaultProblem extends Error {}
