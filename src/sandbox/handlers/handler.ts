import type {WriteId} from '../../contract/index.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {Caller, Sessions} from '../request/logins.js'
import type {Problems} from '../request/problems.js'
import type {StandardRequest} from '../request/standard-request.js'
import type {Store} from '../store/record-store.js'

export type Call = {
  request: StandardRequest
  caller: Caller
  store: Store
  /** Server time, UTC. */
  now: number
  /** The own limit of provisioning, in machines a day. [pub], its number is [dec] */
  provisionsPerDay: number
}

export type WriteCall = Call & {id: WriteId; problems: Problems}

/** A write runs inside a transaction: what it throws rolls the complete set back. It returns ids, records or nothing. */
export type WriteHandler = (call: WriteCall) => JsonValue[]

type SessionCall = {
  /** Name of the API key that asks. */
  key: string
  /** The request, which is not wrapped in the standard body. [pub] */
  body: Buffer | undefined
  sessions: Sessions
  now: number
}

export type SessionHandler = (call: SessionCall) => JsonRecord | string
