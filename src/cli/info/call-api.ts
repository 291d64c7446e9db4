import {toRawBody} from '../../client/raw-call.js'
import type {Client, RawAnswer} from '../../client/types.js'
import {limits, readIds, readOperation} from '../../contract/index.js'
import {CliFailure, usage} from '../../core/errors.js'
import {readSmallFile} from '../../core/small-file.js'
import {resolveSettings} from '../../settings/settings.js'
import {defined} from '../../values/defined.js'
import {findValue, type JsonValue, printJson} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import type {Messages} from '../app/messages.js'
import {type ClientFlags, openClient} from '../client/open-client.js'
import {dataOutput, standardOutput} from '../terminal/output.js'
import {onSecondSignal} from '../terminal/signals.js'

export type ApiFlags = ClientFlags & {
  readonly body?: string | undefined
  readonly filter?: string[] | undefined
  readonly header?: string[] | undefined
  readonly paginate?: boolean
  readonly include?: boolean
  readonly 'page-size'?: number | undefined
}

type ApiArgs = {method: string; path: string}

/** Sends one raw request, or one a page with `--paginate`, and prints what came. */
export async function callApi(args: ApiArgs, flags: ApiFlags, context: CommandContext): Promise<void> {
  const {messages, isJson, present} = context
  const {filter = [], header = [], 'page-size': size} = flags
  const body = flags.body === undefined ? toRawBody(filter, args.method) : readBody(flags)
  const request = {...args, headers: toHeaders(header), ...defined({body})}
  await refuseWrite(args, flags, context)
  const opened = await openClient(flags, context)
  const {client} = opened
  onSecondSignal(() => stoppedText)
  const send = () => (flags.paginate ? readAll(client, request, size) : callOnce(client, request, size))
  const answer = await sendOrExplain(messages, send)
  client.close()
  const meta = opened.meta()
  if (isJson) return present({data: toData(answer), meta})
  if (flags.include) await dataOutput.write(toHead(answer))
  await dataOutput.write(answer.body)
  if (process.stdout.isTTY && answer.body.at(-1) !== lineFeed) await standardOutput.write('\n')
  await present({data: null, meta})
}

/** Throws for a write where writes need approval, which covers plans only. */
async function refuseWrite({method, path}: ApiArgs, flags: ApiFlags, {environment}: CommandContext): Promise<void> {
  const verb = method.toUpperCase()
  const isReadPath = readIds.some((id) => readOperation(id).path === path) // of writes as well, by other methods
  const isRead = verb === 'GET' || (verb === 'POST' && isReadPath)
  const resolved = resolveSettings(flags, environment)
  if (isRead || resolved.values.approval.value === 'none') return
  const {unapproved} = await import('../../runs/plan/check-approval.js')
  throw unapproved(resolved.profile, `${method} ${path} is not a plan`)
}

const lineFeed = 10
const stoppedText =
  'Stopped immediately: a request that was sent may or may not have been applied.\n→ Read the records before you run the same command again.'

type Request = ApiArgs & {headers: Record<string, string>; body?: string}

function callOnce(client: Client, request: Request, size: number | undefined): Promise<RawAnswer> {
  const paging = size === undefined ? {} : {size: String(size)}
  return client.call({...request, headers: {...paging, ...request.headers}})
}

/** Reads all pages into one JSON array, every element as it came. */
async function readAll(client: Client, request: Request, size: number = limits.maximumPageSize): Promise<RawAnswer> {
  const parts: string[] = []
  let answer: RawAnswer | undefined
  let total = 1
  for (let page = 1; page <= total; page++) {
    const headers = {page: String(page), size: String(size), ...request.headers}
    answer = await client.call({...request, headers})
    parts.push(toElements(answer, page))
    total = toTotal(answer)
  }
  const body = Buffer.from(`[${parts.filter(Boolean).join(',')}]\n`)
  return {status: answer?.status ?? 200, headers: answer?.headers ?? {}, body}
}

function toElements({body}: RawAnswer, page: number): string {
  const text = body.toString('utf8').trim()
  const parsed = findValue(text)
  if (Array.isArray(parsed)) return text.slice(1, -1).trim()
  throw new CliFailure(`Page ${page} is not a JSON array, so pages cannot be joined.`, {
    code: 'NOT_A_LIST',
    hints: ['Read a single page without --paginate.'],
  })
}

function toTotal({headers}: RawAnswer): number {
  const total = Number(headers['total-pages'] ?? 1)
  return Number.isSafeInteger(total) && total > 0 ? total : 1
}

/** The body of a refusal goes to standard error: standard output is for data only. */
async function sendOrExplain(messages: Messages, send: () => Promise<RawAnswer>): Promise<RawAnswer> {
  const {RawRefused} = await import('../../client/raw-call.js')
  try {
    return await send()
  } catch (error) {
    if (error instanceof RawRefused) messages.tell(shownBody(error.answer))
    throw error
  }
}

function shownBody({body}: RawAnswer): string {
  const longest = 4_000
  const text = body.toString('utf8')
  const parsed = findValue(text)
  return parsed === undefined ? JSON.stringify(text.slice(0, longest)) : printJson(parsed).slice(0, longest)
}

function toData(answer: RawAnswer): JsonValue {
  const text = answer.body.toString('utf8')
  return {status: answer.status, headers: answer.headers, body: findValue(text) ?? text}
}

function toHead({status, headers}: RawAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  return `HTTP ${status}\n${lines.join('')}\n`
}

function toHeaders(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const colon = text.indexOf(':')
      if (colon < 1) throw invalid(`--header: not 'NAME: VALUE': "${text}"`)
      return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()]
    }),
  )
}

function readBody({body = '', filter}: ApiFlags): string {
  if (filter !== undefined) throw invalid('--filter builds a body, so it does not go with --body')
  try {
    return readSmallFile(body)
  } catch (error) {
    throw invalid(`--body: cannot read ${body}: ${(error as Error).message}`)
  }
}

function invalid(message: string): CliFailure {
  return usage(message, 'See: vendorctl api --help')
}
