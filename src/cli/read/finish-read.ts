import type {ServedRange} from '../../client/served-range.js'
import {type ExitName, exitCodeOf} from '../../contract/index.js'
import {type CliFailure, type ErrorEntry, entryOf, toEntries} from '../../core/errors.js'
import type {Written} from '../../reports/read/row-sink.js'
import {counted} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {notice, toLines} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {unnamedFormat} from './format-of.js'
import type {ReadFlags} from './read-flags.js'
import type {TextTarget} from './text-target.js'

export type FinishedRead = {
  flags: ReadFlags
  opened: OpenedClient
  written: Written
  target: TextTarget
  pages: number
  /** The limit ended the read before the last page. */
  more: boolean
  range: ServedRange | undefined
  /** The range was read as one window, so that a clamp is known also where a limit ended the read. */
  isOneWindow?: boolean | undefined
  /** Further reasons why the read is not complete. */
  incomplete: ErrorEntry[]
  /** The failure before the last page, where the user takes the rows so far. */
  ended?: CliFailure | undefined
}

/** Ends a read. Only a complete one gives its file a name, and nothing about its rows is reported before that. */
export async function concludeRead(read: FinishedRead, context: CommandContext): Promise<void> {
  const {messages, present} = context
  const {reports, exit, errors, ...presented} = judgeRead(read)
  await (exit === 'incomplete' ? read.target.discard() : read.target.commit())
  for (const text of reports) notice(text, context)
  for (const error of errors) messages.tell(toLines(exit, error))
  if (exit === 'incomplete' && read.target.path) messages.tell(`${read.target.path} was not written.`)
  await present({...presented, exit, errors})
}

/** The envelope, exit code and messages of a finished read. */
function judgeRead({flags, opened, written, target, pages, ...read}: FinishedRead) {
  const {rows} = written
  const truncated = written.isCut || read.more || read.ended !== undefined
  const range = truncated && !read.isOneWindow ? withoutClamp(read.range) : read.range
  const cut = truncated && flags['fail-on-truncate'] === true
  const lost = describeLost(written)
  const format = unnamedFormat(flags, target.path)
  const summary = `${counted(rows, 'row')}${format ? ` as ${format}` : ''}, ${counted(pages, 'page')}, ${counted(opened.client.requestsUsed, 'request')}`
  const gaps = [...(read.incomplete ?? []), range?.error, lost, cut ? toCut(rows) : undefined].filter(
    (entry) => entry !== undefined,
  )
  const file = gaps.length === 0 ? target.path : undefined // with a gap it does not get its name
  const spent = read.ended ? toEntries(read.ended) : []
  const isEmpty = gaps.length + spent.length + rows === 0 && !truncated && flags['fail-on-empty'] === true
  const errors = isEmpty ? [nothingMatched()] : [...gaps, ...spent]
  return {
    reports: [
      ...written.notes,
      ...(truncated && !cut && !read.ended ? [describeCut(rows)] : []),
      ...(range?.text && !range.error ? [`warning: ${range.text}`] : []),
      ...(target.path !== undefined || process.stderr.isTTY ? [`${file ? `${file}: ` : ''}${summary}`] : []),
    ],
    data: written.data === null ? {file: file ?? null, rows, pages} : written.data,
    meta: {...opened.meta(), pages, truncated, ...(range && {range: {asked: range.asked, served: range.served}})},
    exit: toExit(gaps, spent, errors),
    errors,
  }
}

/** The range without the error of a clamp: a read that --limit ended did not ask for all of it. */
function withoutClamp(range: ServedRange | undefined): ServedRange | undefined {
  return range?.error ? {asked: range.asked, served: range.served} : range
}

/** The range, whose clamp is a warning and not an error where --allow-clamp is set. */
export function allowClamp(
  flags: Pick<ReadFlags, 'allow-clamp'>,
  range: ServedRange | undefined,
): ServedRange | undefined {
  if (!range || flags['allow-clamp'] !== true) return range
  const {error: _accepted, ...rest} = range
  return rest
}

/** Why a read in which records came twice is not complete. */
export function toDrift(repeated: number): ErrorEntry[] {
  if (repeated === 0) return []
  const message = `${counted(repeated, 'record')} came twice: the data changed while it was read, so others may be missing`
  return [entryOf('DRIFT', message, {retry: 'safe', hint: 'Run the same command again.'})]
}

function toExit(gaps: readonly ErrorEntry[], spent: readonly ErrorEntry[], errors: readonly ErrorEntry[]): ExitName {
  if (gaps.length > 0) return 'incomplete'
  if (spent.length > 0) return 'limited'
  return errors.length > 0 ? 'empty' : 'ok'
}

function describeCut(rows: number): string {
  return `showing ${counted(rows, 'row')}; --limit cut the rest off`
}

function toCut(rows: number): ErrorEntry {
  return entryOf('TRUNCATED', describeCut(rows), {hint: 'Raise --limit, or leave --fail-on-truncate out.'})
}

/** Prints the error of `--fail-on-empty` and returns it; `what` names what to check. */
export function tellEmpty(messages: CommandContext['messages'], what?: string): ErrorEntry {
  const error = nothingMatched(what)
  messages.tell(toLines('empty', error))
  return error
}

function nothingMatched(what = 'the filters and the range'): ErrorEntry {
  return entryOf('EMPTY', 'nothing matched', {hint: `Check ${what}, or leave --fail-on-empty out.`})
}

const lostShown = 50

function describeLost({lost}: Pick<Written, 'lost'>): ErrorEntry | undefined {
  if (lost.size === 0) return undefined
  const fields = [...lost].slice(0, lostShown).map(([name, count]) => `${name} (${counted(count, 'value')})`)
  if (lost.size > lostShown) fields.push(`and ${counted(lost.size - lostShown, 'field')} more`)
  const message = `the service sent fields after the header was written that have no column: ${fields.join(', ')}`
  const hint = 'Name them with --columns, or use -o ndjson, which keeps every field.'
  return entryOf('FIELDS_NOT_SHOWN', message, {exit: exitCodeOf('incomplete').code, hint})
}
