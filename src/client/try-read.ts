import type {Clock} from '../core/clock.js'
import type {Incoming} from '../http/transport.js'
import {TransportFailure} from '../http/transport-failure.js'
import {toMeaning} from './answer.js'
import type {Asked} from './failures.js'
import type {Tried} from './repeat.js'
import {troubleOfMeaning, troubleOfTransport} from './retry-policy.js'

export type Attempt<Value> = {
  asked: Asked
  clock: Clock
  send: () => Promise<Incoming>
  /** What a 2xx answer is worth. */
  take: (incoming: Incoming) => Tried<Value>
}

/** One try of a request that may be repeated: its value, or the trouble that decides about another try. */
export async function tryRead<Value>({asked, clock, send, take}: Attempt<Value>): Promise<Tried<Value>> {
  try {
    const incoming = await send()
    const now = clock.now()
    const meaning = toMeaning(incoming, now)
    return meaning.kind === 'success' ? take(incoming) : {trouble: troubleOfMeaning(meaning, incoming, asked, now)}
  } catch (error) {
    if (error instanceof TransportFailure) return {trouble: troubleOfTransport(error, asked)}
    throw error
  }
}
