import {
  type FilterKey,
  filterOf,
  findOperation,
  type Read,
  type ReadId,
  readOperation,
  type SessionId,
  type Stage,
  stageOf,
  type WriteId,
  writeOperation,
} from '../contract/index.js'
import {commandLine} from '../core/command-line.js'
import {CliFailure} from '../core/errors.js'
import {type JsonRecord, type JsonValue, printJson} from '../values/json.js'
import {toMessageText} from '../values/message-text.js'
import type {FilterValues, Settings, WriteContent} from './types.js'

/** One request, as a message names it: `GET /machines`. */
export type RequestName = {method: string; path: string; elsewhere?: OtherPath | undefined}

/** A path where services are known to have the same operation, and the command that makes a profile ask there. */
export type OtherPath = {path: string; command: string}

/** A request before key and token are put on it. */
export type PlainRequest = {
  operation: string
  method: string
  /** Below the stage. */
  path: string
  headers: Record<string, string>
  body?: string | undefined
  isWrite: boolean
  elsewhere?: OtherPath | undefined
  /** A command with a daily limit of its own: `machines provision`; it refuses as the daily quota of the key does. */
  limited?: string
}

type Paged = {filters: FilterValues; page: number; size: number}

const jsonContent = {'content-type': 'application/json'}

export function toReadRequest(settings: Settings, id: ReadId, {filters, page, size}: Paged): PlainRequest {
  return {
    operation: id,
    method: settings.readMethod,
    path: pathOf(settings, id, readOperation(id).path),
    elsewhere: findOtherPath(settings, id),
    headers: {page: String(page), size: String(size), ...jsonContent},
    body: toBody(filters, [], readOperation(id).alsoSentAs),
    isWrite: false,
  }
}

export function toWriteBody({records = [], filters = {}}: WriteContent): string {
  return toBody(filters, records)
}

export function toWriteRequest(settings: Settings, id: WriteId, body: string): PlainRequest {
  const {verb, path, set, command} = writeOperation(id)
  return {
    operation: id,
    method: verb,
    path: pathOf(settings, id, path),
    headers: jsonContent,
    body,
    isWrite: true,
    ...(set.ownLimit && {limited: command}),
  }
}

/** Login and key test: not wrapped in the standard body. */
export function toSessionRequest(settings: Settings, id: SessionId, body?: JsonValue): PlainRequest {
  return {
    operation: id,
    method: 'POST',
    path: pathOf(settings, id, findOperation(id)?.path ?? ''),
    headers: body === undefined ? {} : jsonContent,
    body: body === undefined ? '' : printJson(body),
    isWrite: false,
  }
}

export function askedBy({method, path, elsewhere}: PlainRequest): RequestName {
  return {method, path, elsewhere}
}

export function nameOf({method, path}: RequestName): string {
  return `${method} ${toMessageText(path)}`
}

/** The standard request body: all three keys, the unused ones empty. [seed] */
function toBody(filters: FilterValues, records: JsonRecord[], alsoSentAs: Read['alsoSentAs'] = {}): string {
  const parts: {requestFilter: JsonRecord; routeFilter: JsonRecord} = {requestFilter: {}, routeFilter: {}}
  for (const [key, value] of Object.entries(filters)) {
    if (value === undefined) continue
    const part = parts[filterOf(key as FilterKey).place]
    part[key] = value
    const {[key]: second} = alsoSentAs
    if (second !== undefined) part[second] = value
  }

  return printJson({...parts, body: records})
}

function pathOf({routes}: Settings, id: string, path: string): string {
  return routes[id] ?? path
}

function findOtherPath({profile = 'NAME', routes}: Settings, id: ReadId): OtherPath | undefined {
  const {path: usual, alsoAt = []} = readOperation(id)
  const path = [usual, ...alsoAt].find((one) => one !== (routes[id] ?? usual))
  if (path === undefined) return undefined
  const pairs = Object.entries({...routes, [id]: path}).map(([operation, at]) => `${operation}=${at}`)
  return {path, command: commandLine('profiles set', [profile, `routes=${pairs.join()}`])}
}

/** Throws a `CliFailure` (usage) when a stage has no bulk requests, or no sessions where the operation needs them. */
export function checkStage(stage: Stage, {command, since}: {command: string; since: Stage}): void {
  const {bulk, sessions} = stageOf(stage)
  if (!bulk)
    throw new CliFailure(`Stage ${stage} has no bulk requests, so "${command}" cannot run on it.`, {
      code: 'STAGE_WITHOUT_BULK',
      hints: ['Use --stage v2.1 (or v2, rc). The raw command still works here: vendorctl api GET /machines --stage v1'],
    })
  if (!sessions && stageOf(since).sessions)
    throw new CliFailure(`Stage ${stage} has no sessions, so "${command}" cannot run on it.`, {
      code: 'STAGE_WITHOUT_SESSIONS',
      hints: ['Use --stage v2.1 (or rc).'],
    })
}
