import {operationIds} from '../../contract/index.js'
import {pause, systemClock} from '../../core/clock.js'
import {CliFailure, usage} from '../../core/errors.js'
import {type Explanation, explain} from '../../derive/explain.js'
import {toSafeText, toShownData} from '../../formats/safe-text.js'
import {createTable} from '../../formats/write/table/table.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, parseJson, printJson} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {hasColor} from '../help/terminal-look.js'
import {describeExplanation} from '../info/explain-code.js'
import {ownColumns, requestColumns} from '../read/own-columns.js'
import {isUsual, presentRecords} from '../read/present-records.js'
import {standardOutput} from '../terminal/output.js'
import {stopSignal} from '../terminal/signals.js'
import {askControl} from './control-client.js'
import type {LogFlags} from './sandbox-flags.js'
import {requireSandbox, type SandboxState} from './sandbox-state.js'

/** As the sandbox tells it. */
type Logged = JsonRecord & {id: number; time: string; operation: string; status: number | null; fault: string | null}

/** All that is known of a request. */
type Detailed = Logged & {
  requestHeaders: Record<string, string>
  body: string
  responseHeaders: Record<string, string>
  answer: string
  explained: Explanation[]
}

type Pages<Item> = AsyncIterable<Item[]>

const detailColumns = ownColumns(['requestHeaders', 'body', 'responseHeaders', 'answer', 'explained'])

/** One request, those that the sandbox keeps, or these and each further one as it comes. */
export async function presentLog(id: number | undefined, flags: LogFlags, context: CommandContext): Promise<void> {
  const {follow: isEndless = false, sort, verbose} = flags
  const isNarrowed = [flags.status, flags.operation, flags.fault].some((filter) => filter !== undefined)
  if (id !== undefined && (isEndless || isNarrowed)) throw usage('An ID is given without --follow and filters.')
  if (isEndless && sort !== undefined) throw usage('--follow prints requests as they come; --sort cannot be added.')
  const sandbox = requireSandbox(context.environment)
  const listed = readLog(sandbox, flags, context)
  const records = id !== undefined ? readOne(sandbox, id) : verbose ? readDetails(sandbox, listed) : listed
  if (isUsual(flags) && !context.isJson) {
    const rows = await printRows(records)
    if (rows === 0) context.messages.note(isNarrowed ? 'No requests match.' : 'No requests yet.')
    return context.present({data: undefined})
  }
  const all = id !== undefined || verbose ? [...requestColumns, ...detailColumns] : requestColumns
  await presentRecords(flags, context, {resource: 'request', columns: all, records, isNarrowed, isEndless})
}

const pollMilliseconds = 250

async function* readLog(sandbox: SandboxState, flags: LogFlags, {messages}: CommandContext): Pages<Logged> {
  const isWanted = toFilter(flags)
  let after = 0
  do {
    const {requests} = (await askControl(sandbox, 'GET', `log?after=${after}`)) as {requests: Logged[]}
    const lost = (requests[0]?.id ?? 0) - after - 1
    if (lost > 0 && after > 0) messages.note(`Not shown: ${counted(lost, 'request')} that the sandbox no longer keeps.`)
    after = requests.at(-1)?.id ?? after
    yield requests.filter(isWanted)
    if (flags.follow) await pause(pollMilliseconds, systemClock, stopSignal())
  } while (flags.follow)
}

/** Throws `usage` for what no request can be. */
function toFilter({status, operation, fault}: LogFlags): (request: Logged) => boolean {
  const isOf = (id: string) => operation === undefined || id === operation || id.startsWith(`${operation}.`)
  if (status !== undefined && !/^([1-5](\d\d|xx)|none)$/.test(status))
    throw usage(`--status "${status}" is not a status.`, 'Write a number such as 409, a class such as 4xx, or none.')
  if (![...operationIds, 'gateway'].some(isOf))
    throw usage(
      `--operation "${operation}" is neither an operation nor a resource.`,
      'See all: vendorctl contract show',
    )
  return (request) =>
    isOf(request.operation) &&
    (status === undefined || String(request.status ?? 'none').startsWith(status.replace('xx', ''))) &&
    (fault === undefined || request.fault?.includes(fault) === true)
}

async function* readOne(sandbox: SandboxState, id: number): Pages<Detailed> {
  const found = (await askControl(sandbox, 'GET', `log/${id}`, {refused: 'NO_REQUEST'})) as Detailed
  yield [{...found, explained: explainAnswer(found)}]
}

async function* readDetails(sandbox: SandboxState, pages: Pages<Logged>): Pages<Detailed> {
  for await (const page of pages) {
    for (const {id} of page) {
      try {
        yield* readOne(sandbox, id)
      } catch (error) {
        if (!(error instanceof CliFailure && error.code === 'NO_REQUEST')) throw error // newer ones replaced it
      }
    }
  }
}

function explainAnswer({status, answer}: Detailed): Explanation[] {
  if (status === null || status < 400) return []
  const codes = new Set(Array.from(answer.matchAll(/"code":"(\w+)"/g), ([, code = '']) => code))
  if (codes.size > 0) return [...codes].flatMap((code) => explain(code).found)
  return explain(String(status)).found.filter(({kind}) => kind === 'gateway')
}

const shownNames = ['id', 'time', 'operation', 'status', 'ms', 'records', 'key', 'user', 'fault']

/** Prints requests for people as they come; the number of them. */
async function printRows(pages: Pages<Logged | Detailed>): Promise<number> {
  const numbers = ['id', 'status', 'ms', 'records']
  const table = createTable(ownColumns(shownNames, numbers), {color: hasColor(process.stdout, process.env)})
  let rows = 0
  for await (const page of pages) {
    rows += page.length
    const blocks = page.flatMap((request) => ('answer' in request ? toBlock(request as Detailed) : []))
    if (page.length > 0) await standardOutput.write([table.draw(page.map(toCells)), ...blocks].join(''))
  }
  return rows
}

function toCells(request: Logged): string[] {
  const {time, status, milliseconds: ms} = request
  const cells: JsonRecord = {...request, time: time.slice(11, 23), status: status ?? 'none', ms: ms ?? null}
  return shownNames.map((name) => toSafeText(String(cells[name] ?? '')))
}

/** Headers and bodies, indented below the line of their request. */
function toBlock({method, path, requestHeaders, body, responseHeaders, answer, explained}: Detailed): string {
  const toLines = (headers: Record<string, string>, mark: string) =>
    Object.entries(headers).map(([name, value]) => `${mark} ${name}: ${value}`)
  const asked = [`> ${method} ${path}`, ...toLines(requestHeaders, '>'), toReadable(body)]
  const meanings = explained.map((one) => describeExplanation({...one, commands: []}))
  const answered = [...toLines(responseHeaders, '<'), toReadable(answer), ...meanings]
  const text = [...asked, ...answered].filter((part) => part !== '').join('\n')
  return `${toShownData(text).replaceAll(/^(?=.)/gm, '    ')}\n\n`
}

function toReadable(body: string): string {
  try {
    return printJson(parseJson(body), 2)
  } catch {
    return body
  }
}
