import type {ServedRange} from '../../client/served-range.js'
import {type ExitName, exitCodeOf} from '../../contract/index.js'
import {type CliFailure, type ErrorEntry, toEntries} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import type {JsonValue} from '../../values/json.js'
import type {Presented} from '../app/command-context.js'
import type {OpenedClient} from '../client/open-client.js'
import {requestMeta} from '../client/request-meta.js'
import {unnamedFormat} from './format-of.js'
import type {ReadFlags} from './read-flags.js'
import type {Written} from './row-sink.js'
import type {TextTarget} from './text-target.js'

/** Takes what is shown to people. */
export type Report = {note(text: string): void; caution(text: string): void}

export type FinishedRead = {
  flags: ReadFlags
  opened: OpenedClient
  sink: Omit<Written, 'isFull'>
  target: TextTarget
  pages: number
  /** The limit ended the read before the last page. */
  more: boolean
  range: ServedRange | undefined
  /** All of the range was asked for with the first request, also where a limit ended the read. */
  isOneWindow?: boolean | undefined
  /** Further reasons why the read is not complete. */
  incomplete?: ErrorEntry[]
  /** What ended the read before the last page, because the user takes what there is. */
  ended?: CliFailure | undefined
}

/** Reports what a finished read brought; returns its envelope and the exit code that follows. */
export function finishRead(read: FinishedRead, report: Report): Presented {
  const {flags, opened, sink, target, pages} = read
  const truncated = sink.isCut || read.more || read.ended !== undefined
  const range = truncated && !read.isOneWindow ? withoutClamp(read.range) : read.range
  const used = opened.client.requestsUsed
  for (const note of sink.notes) report.note(note)
  const cut = truncated && flags['fail-on-truncate'] === true
  if (truncated && !cut && !read.ended) report.note(describeCut(sink.rows))
  if (range?.text && !range.error) report.caution(range.text)
  const lost = describeLost(sink)
  const format = unnamedFormat(flags, target.path)
  const summary = `${counted(sink.rows, 'row')}${format ? ` as ${format}` : ''}, ${counted(pages, 'page')}, ${counted(used, 'request')}`
  const gaps = [...(read.incomplete ?? []), range?.error, lost, cut ? toCut(sink.rows) : undefined].filter(
    (entry) => entry !== undefined,
  )
  const file = gaps.length === 0 ? target.path : undefined // with a gap it does not get its name
  if (target.path !== undefined || process.stderr.isTTY) report.note(`${file ? `${file}: ` : ''}${summary}`)

  const spent = read.ended ? toEntries(read.ended) : []
  const isEmpty = gaps.length + spent.length + sink.rows === 0 && !truncated && flags['fail-on-empty'] === true
  const errors = isEmpty ? [nothingMatched()] : [...gaps, ...spent]
  return {
    data: toData(read, file),
    meta: {
      ...requestMeta(opened),
      pages,
      truncated,
      ...(range && {range: {asked: range.asked, served: range.served}}),
    },
    exit: toExit(gaps, spent, errors),
    errors,
  }
}

/** A read that --limit ended did not ask for all of its range, so the service did not cut it. */
function withoutClamp(range: ServedRange | undefined): ServedRange | undefined {
  return range?.error ? {asked: range.asked, served: range.served} : range
}

/** A clamp that the user accepts is reported, and is no error. */
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
  const exit = exitCodeOf('incomplete').code
  return [{code: 'DRIFT', message, exit, changed: 'none', retry: 'safe', hint: 'Run the same command again.'}]
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
  const message = describeCut(rows)
  const hint = 'Raise --limit, or leave --fail-on-truncate out.'
  return {code: 'TRUNCATED', message, exit: exitCodeOf('incomplete').code, changed: 'none', retry: 'after-fix', hint}
}

function nothingMatched(): ErrorEntry {
  const hint = 'Check the filters and the range, or leave --fail-on-empty out.'
  const exit = exitCodeOf('empty').code
  return {code: 'EMPTY', message: 'nothing matched', exit, changed: 'none', retry: 'after-fix', hint}
}

function toData({sink, pages}: FinishedRead, file: string | undefined): JsonValue | undefined {
  if (sink.data !== null) return sink.data
  return {file: file ?? null, rows: sink.rows, pages}
}

const lostShown = 50

function describeLost({lost}: Pick<Written, 'lost'>): ErrorEntry | undefined {
  if (lost.size === 0) return undefined
  const fields = [...lost].slice(0, lostShown).map(([name, count]) => `${name} (${counted(count, 'value')})`)
  if (lost.size > lostShown) fields.push(`and ${counted(lost.size - lostShown, 'field')} more`)
  return {
    code: 'FIELDS_NOT_SHOWN',
    message: `the service sent fields after the header was written that have no column: ${fields.join(', ')}`,
    exit: exitCodeOf('incomplete').code,
    changed: 'none',
    retry: 'after-fix',
    hint: 'Name them with --columns, or use -o ndjson, which keeps every field.',
  }
}
