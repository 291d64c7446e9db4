import {createClient as createWire} from '../client/client.js'
import {toWriteBody} from '../client/request.js'
import type {Settings, Token, TokenStore, Client as Wire} from '../client/types.js'
import {defaultStage, isStage, limits, pace, stageNames} from '../contract/index.js'
import {systemClock} from '../core/clock.js'
import {readCurrent} from '../runs/records/read-current.js'
import {mergeRecord} from '../runs/rows/merge-fields.js'
import {idOf} from '../runs/rows/row-content.js'
import type {JsonRecord} from '../values/json.js'
import {idText} from '../values/record-key.js'
import type {Client, ClientOptions, Sent} from './public-types.js'
import {checkSent, readListPages, readReportPages, toFilters, toOperation, wrongArgument} from './reads.js'

/**
 * Makes a client of the service; nothing is sent yet. Throws a `CliFailure` (usage, unsafe) at a base URL that cannot be
 * used.
 *
 * ```js
 * const client = createClient({baseUrl: 'https://api.example.com', credentials: {apiKey, username, password}})
 * for await (const {records} of client.readPages('machines.list', {filters: {siteIds: [1001]}})) show(records)
 * client.close()
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const {clock = systemClock, environment = process.env, tokens = createMemoryTokens(), credentials} = options
  const {signal, onNotice, onRequest} = options
  const wire = createWire({
    settings: toSettings(options),
    credentials: async () => (typeof credentials === 'function' ? credentials() : credentials),
    tokens,
    clock,
    random: Math.random,
    environment,
    ...{signal, onNotice, onRequest},
  })

  return toClient(wire, () => clock.now())
}

function toClient(wire: Wire, now: () => number): Client {
  const {call, login, testKey, quota, close} = wire
  const write = createWrite(wire, now)
  return {
    readPages: (id, request = {}) => readListPages(wire, id, request, now()),
    readReport: (request) => readReportPages(wire, request, now()),
    write,
    async update(id, records, how) {
      return write(id, {records: await merge(wire, id, records)} as unknown as Sent<typeof id>, how)
    },
    call,
    login,
    testKey,
    quota: () => quota(),
    get requestsUsed() {
      return wire.requestsUsed
    },
    close: () => void close(),
  }
}

function createWrite(wire: Wire, now: () => number): Client['write'] {
  return async (id, {records, filters = {}}: {records?: readonly object[]; filters?: object}, {beforeSend} = {}) => {
    const operation = toOperation(id, 'write')
    const values = toFilters(operation, filters, now())
    checkSent(operation, records, values)
    const sent = records ? {records: [...records] as JsonRecord[], filters: values} : {filters: values}
    const body = toWriteBody(sent)
    return wire.write(id, sent, {body, beforeSend: beforeSend && (() => beforeSend(body))})
  }
}

/** Records as the service takes them: whole, where it sets to null what is left out. Throws `usage` where there is none. */
async function merge(wire: Wire, id: string, given: readonly object[]): Promise<JsonRecord[]> {
  const operation = toOperation(id, 'write')
  const changes = [...given] as JsonRecord[]
  if (operation.merge !== 'full-replace') return changes
  const ids = changes.map((record) => idOf({record}, operation))
  const {records} = await readCurrent(wire, operation, ids)
  return changes.map((record, place) => {
    const current = records.get(idText(ids[place]))
    if (current) return mergeRecord(current, record, operation.resource)
    throw wrongArgument(`"${operation.command}": there is no record ${idText(ids[place])}; nothing was sent.`)
  })
}

/** The settings of a client. Throws a `CliFailure` (usage) at a stage that does not exist. */
function toSettings(options: ClientOptions): Settings {
  const {baseUrl, stage = defaultStage, timeoutSeconds, maximumRequests} = options
  if (!isStage(stage)) throw wrongArgument(`There is no stage "${stage}"; there are ${stageNames.join(', ')}.`)
  return {
    baseUrl,
    stage,
    readMethod: options.readMethod ?? 'GET',
    tokenHeader: options.tokenHeader ?? 'access-token',
    rate: options.rate ?? pace.requestsPerSecond,
    burst: options.burst ?? pace.burst,
    quota: options.quota ?? {perDay: limits.requestsPerDay, floor: 0},
    routes: options.routes ?? {},
    ...{timeoutSeconds, maximumRequests},
  }
}

/** Keeps the token for as long as this process lives. */
function createMemoryTokens(): TokenStore {
  let kept: Token | undefined
  return {
    read: async () => kept,
    write: async (token) => {
      kept = token
    },
  }
}
