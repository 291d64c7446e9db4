import {stateFolder} from '../../core/folders.js'
import type {Column} from '../../formats/columns.js'
import type {RowSink, Written} from '../../reports/read/row-sink.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, type JsonValue, parseJson} from '../../values/json.js'
import type {CommandContext, Presented} from '../app/command-context.js'
import {stopSignal} from '../terminal/signals.js'
import {settleWhere} from './filter-values.js'
import {tellEmpty} from './finish-read.js'
import {describeNone} from './format-of.js'
import {openSink} from './open-sink.js'
import {type RecordFlags, recordFlags} from './read-flags.js'
import {type TextTarget, withTarget} from './text-target.js'

export type LocalRecords = Pick<Presented, 'runId' | 'exit' | 'meta' | 'errors'> & {
  /** Kind of the records, for the order of columns on a terminal and the name of a table. */
  resource: string
  columns: readonly Column[]
  records: Iterable<JsonRecord> | AsyncIterable<Iterable<JsonRecord>>
  /** Whether some were left out before, besides those that `--where` leaves out. */
  isNarrowed?: boolean
  /** Whether records arrive without end: each is printed immediately, until `--limit` is reached. */
  isEndless?: boolean
  /** The output unless a format or a selection is asked for: a table for people, and the data of `--json`. */
  usual?: {text: string | undefined; data: JsonValue}
}

/** Ends a command with records of this machine, in the format and selection of the flags. */
export async function presentRecords(
  flags: RecordFlags,
  context: CommandContext,
  {resource, columns, records, usual, isNarrowed = false, isEndless, exit = 'ok', meta = {}, ...more}: LocalRecords,
): Promise<void> {
  if (usual && isUsual(flags)) return context.present({...usual, exit, meta, ...more})
  const {envelope, environment} = context
  const where = settleWhere(flags, columns, context)
  const narrowed = isNarrowed || flags.where !== undefined
  await withTarget(flags, context, async (target) => {
    const folder = () => stateFolder(environment)
    const asRead = isEndless ? {isSettled: true, lookAhead: 1} : {}
    const sink = await openSink(flags, target, columns, {resource, envelope, folder, where, ...asRead})
    const written = await writeRecords(records, sink, isEndless ? 'isFull' : 'isCut')
    await target.commit()
    const none = usual && !narrowed ? undefined : describeNone(flags, target.path, {resource, isNarrowed: narrowed})
    await presentWritten(written, context, {flags, target, none, exit, meta, ...more})
  })
}

/** The records that the flags choose, in their order and with their columns. */
export async function selectRows(
  flags: RecordFlags,
  context: CommandContext,
  {resource, columns, records}: Pick<LocalRecords, 'resource' | 'columns' | 'records'>,
): Promise<JsonRecord[]> {
  const parts: Buffer[] = []
  const write = async (part: string | Uint8Array) => void parts.push(Buffer.from(part))
  const done = async () => undefined
  const target = {path: 'rows.ndjson', write, commit: done, discard: done}
  const where = settleWhere(flags, columns, context)
  const folder = () => stateFolder(context.environment)
  await writeRecords(records, await openSink({...flags, output: 'ndjson'}, target, columns, {resource, where, folder}))
  const lines = Buffer.concat(parts).toString().split('\n').filter(Boolean)
  return lines.map((line) => parseJson(line) as JsonRecord)
}

/** Writes records until the limit has left one out (`isCut`), or is reached (`isFull`). */
export async function writeRecords(
  records: LocalRecords['records'],
  sink: RowSink,
  until: 'isCut' | 'isFull' = 'isCut',
): Promise<Written> {
  for await (const page of toPages(records)) {
    stopSignal().throwIfAborted()
    await sink.records(page)
    if (sink.written()[until]) break
  }
  await sink.end()
  return sink.written()
}

type Presenting = Pick<LocalRecords, 'exit' | 'meta' | 'runId' | 'errors'> & {
  flags: RecordFlags
  target: TextTarget
  /** The text where nothing was written. */
  none: string | undefined
}

/** Ends a command whose records were written, with notes about them. */
export async function presentWritten(
  {rows, notes, isCut, data}: Written,
  {messages, isJson, present}: CommandContext,
  {flags, target, none, exit = 'ok', meta = {}, ...more}: Presenting,
): Promise<void> {
  const isEmpty = rows === 0 && !isCut
  for (const note of notes) messages.note(note)
  if (none !== undefined && isEmpty && !isJson) messages.note(none)
  if (isCut) messages.note(`showing ${counted(rows, 'row')}; --limit cut the rest off`)
  const missing = isEmpty && flags['fail-on-empty'] === true ? tellEmpty(messages, 'what was asked for') : undefined
  await present({
    data: data === null ? {file: target.path ?? null, rows} : data,
    exit: missing ? 'empty' : exit,
    meta: {...meta, truncated: isCut},
    ...more,
    ...(missing && {errors: [missing]}),
  })
}

/** Whether neither a format nor a selection is asked for. */
export function isUsual(flags: RecordFlags): boolean {
  const given: Readonly<Record<string, unknown>> = flags
  return Object.keys(recordFlags).every((name) => given[name] === undefined)
}

async function* toPages(records: LocalRecords['records']): AsyncGenerator<Iterable<JsonRecord>, void, void> {
  if (Symbol.asyncIterator in records) yield* records
  else yield records
}
