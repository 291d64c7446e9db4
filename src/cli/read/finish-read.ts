import type {ServedRange} from '../../client/pages/served-range.js'
import {type ExitName, exitCodeOf} from '../../contract/index.js'
import {type CliFailure, type ErrorEntry, toEntries} from '../../core/errors.js'
import type {Select} from '../../formats/select.js'
import {counted} from '../../values/counted.js'
import type {JsonValue} from '../../values/json.js'
import type {Presented} from '../app/base-command.js'
import type {OpenedClient} from '../client/open-client.js'
import {unsaidFormat} from './format-of.js'
import type {ReadFlags} from './read-flags.js'
import type {RecordSink} from './record-sink.js'
import type {TextTarget} from './text-target.js'

export type Say = {note(text: string): void; caution(text: string): void}

export type FinishedRead = {
  flags: ReadFlags
  opened: OpenedClient
  sink: RecordSink
  select: Pick<Select, 'isCut'>
  target: TextTarget
  pages: number
  /** The limit ended the read before the last page. */
  more: boolean
  range: ServedRange | undefined
  /** Further reasons why the read is not complete. */
  incomplete?: ErrorEntry[]
  /** What ended the read before the last page, because the user takes what there is. */
  ended?: CliFailure | undefined
}

/** What a finished read says, and the exit code that follows from it. */
export function finishRead(read: FinishedRead, say: Say): Presented {
  const {flags, opened, sink, target, pages} = read
  const truncated = read.select.isCut || read.more || read.ended !== undefined
  const range = truncated ? withoutClamp(read.range) : read.range
  const used = opened.client.requestsUsed
  for (const note of sink.notes) say.note(note)
  const cut = truncated && flags['fail-on-truncate'] === true
  if (truncated && !cut && !read.ended) say.caution(describeCut(sink.rows))
  if (range?.text && !range.error) say.caution(range.text)
  const lost = describeLost(sink)
  const format = unsaidFormat(flags, target.path)
  const summary = `${counted(sink.rows, 'row')}${format ? ` of ${format}` : ''}, ${counted(pages, 'page')}, ${counted(used, 'request')}`
  const gaps = [...(read.incomplete ?? []), range?.error, lost, cut ? toCut(sink.rows) : undefined].filter(
    (entry) => entry !== undefined,
  )
  const file = gaps.length === 0 ? target.path : undefined // with a gap it does not get its name
  if (target.path !== undefined || process.stderr.isTTY) say.note(`${file ? `${file}: ` : ''}${summary}`)

  const spent = read.ended ? toEntries(read.ended) : []
  const isEmpty = gaps.length + spent.length + sink.rows === 0 && !truncated && flags['fail-on-empty'] === true
  const errors = isEmpty ? [nothingMatched()] : [...gaps, ...spent]
  return {
    data: toData(read, file),
    meta: {
      profile: opened.resolved.profile,
      stage: opened.resolved.values.stage.value ?? '',
      pages,
      requests: toRequests(opened),
      truncated,
      ...(range && {range: {asked: range.asked, served: range.served}}),
    },
    exit: toExit(gaps, spent, errors),
    errors,
  }
}

/** A read that --limit ended has not asked for all of its range: what is missing is not the service's doing. */
function withoutClamp(range: ServedRange | undefined): ServedRange | undefined {
  return range?.error ? {asked: range.asked, served: range.served} : range
}

/** Requests of this process, and what is left of the day: counted by the ledger, or estimated from this process alone. */
export function toRequests({client}: Pick<OpenedClient, 'client'>): {
  used: number
  quotaLeft: number
  quotaLeftIs: 'estimated' | 'counted'
} {
  const {left, is} = client.quota()
  return {used: client.requestsUsed, quotaLeft: left, quotaLeftIs: is}
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

function describeLost({lost}: RecordSink): ErrorEntry | undefined {
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
