import {
  type OperationId,
  operations,
  type ReadId,
  type SessionId,
  type WriteId,
  writeOperation,
} from '../../contract/index.js'
import {isRecord} from '../../values/json.js'
import {type Answer, toAnswer} from '../request/http-answer.js'
import type {Sessions} from '../request/logins.js'
import {createProblems, nameById, nameByIndex} from '../request/problems.js'
import {refuseAtGateway} from '../request/refused.js'
import {toStandardRequest} from '../request/standard-request.js'
import type {Store} from '../store/record-store.js'
import type {Query} from '../store/store-query.js'
import {handlers} from './index.js'
import {type Mutation, readRecords} from './read-records.js'

/** One request on its way through the service. Faults may change it before it is performed. */
export type Exchange = {
  id: OperationId
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body?: Buffer | undefined
  /** Name of the API key. */
  key: string
  token: string | undefined
  /** Server time, UTC. */
  now: number
  /** The caller, and the number of records asked for; filled in once it is known. */
  asked: {user: string | null; records: number | null}
  /** Replaces the longest range of the operation, in days. */
  maximumDays?: number
  /** Replaces the largest page of the operation when it is smaller, in records. */
  maximumSize?: number
  /** Changes of records just before a read. */
  mutation?: Mutation
}

export type Service = {store: Store; query: Query; sessions: Sessions; provisionsPerDay: number}

/** Does what a request asks, and answers it. Throws `Refused` or `GatewayRefused` when it is not to be done. */
export function perform(exchange: Exchange, {store, query, sessions, provisionsPerDay}: Service): Answer {
  const {id, key, body, headers, now, asked} = exchange
  const {kind} = operations[id]
  if (kind === 'session') {
    const given = handlers[id as SessionId]({key, body, sessions, now})
    if (isRecord(given)) asked.user = String(given['userName'])
    return toAnswer(200, given)
  }
  const caller = sessions.checkToken(key, exchange.token, now)
  asked.user = caller.user
  if (kind === 'read') {
    const request = toStandardRequest(body)
    return readRecords(id as ReadId, {...exchange, request, caller, store, query, provisionsPerDay})
  }
  checkJson(headers['content-type'])
  const request = toStandardRequest(body)
  if (Array.isArray(request.body)) asked.records = request.body.length
  const write = writeOperation(id as WriteId)
  const problems = createProblems(write.body === 'create' ? nameByIndex : nameById(request.body, write.target))
  const call = {id: id as WriteId, request, caller, store, now, provisionsPerDay, problems}
  const values = store.transaction(() => handlers[id as WriteId](call))
  asked.records ??= values.length
  return write.answer === 'nothing' ? toAnswer(204, undefined) : toAnswer(200, values)
}

/** Writes take JSON only, which no form of a web page can send without asking first. */
function checkJson(contentType: string | string[] | undefined): void {
  if (/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(String(contentType))) return
  throw refuseAtGateway('UNSUPPORTED_MEDIA_TYPE')
}
