import {operationIds} from '../../contract/index.js'
import {pause, systemClock} from '../../core/clock.js'
import {CliFailure, usage} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {ownColumns, requestColumns} from '../read/own-columns.js'
import {isUsual, presentRecords} from '../read/present-records.js'
import {stopSignal} from '../terminal/signals.js'
import {askControl} from './control-client.js'
import {type Detailed, explainAnswer, type Logged, type Pages, printRows} from './request-rows.js'
import type {LogFlags} from './sandbox-flags.js'
import {requireSandbox, type SandboxState} from './sandbox-state.js'

const detailColumns = ownColumns(['requestHeaders', 'body', 'responseHeaders', 'answer', 'explained'])

/**
 * Shows one request by its number, all that the sandbox keeps, or with `--follow` these and each further one as it
 * comes.
 */
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
  yield [{...found, explained: explainAnswer(found.status, found.answer)}]
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
