import type {ExitName} from '../../contract/index.js'
import type {ErrorEntry} from '../../core/errors.js'
import type {Column} from '../../formats/columns.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import type {EnvelopeMeta} from '../app/envelope.js'
import {describeNone} from './format-of.js'
import {openSink} from './open-sink.js'
import {type RecordFlags, recordFlags} from './read-flags.js'
import {settleWhere} from './read-to-output.js'
import {withTarget} from './text-target.js'

export type LocalRecords = {
  /** Kind of the records, for the order of columns on a terminal and the name of a table. */
  resource: string
  columns: readonly Column[]
  records: Iterable<JsonRecord> | AsyncIterable<Iterable<JsonRecord>>
  /** Whether some were left out before; `--where` does so too. */
  isNarrowed?: boolean
  runId?: string
  exit?: ExitName
  meta?: EnvelopeMeta
  errors?: ErrorEntry[]
  /** What is printed unless a format or a selection is asked for: a table for people, and the data of `--json`. */
  usual?: {text: string | undefined; data: JsonValue}
}

/** Ends a command with records that lie on this machine, in the format and selection that the flags ask for. */
export async function presentRecords(
  flags: RecordFlags,
  context: CommandContext,
  {resource, columns, records, usual, isNarrowed = false, exit = 'ok', meta = {}, ...more}: LocalRecords,
): Promise<void> {
  if (usual && isUsual(flags)) return context.present({...usual, exit, meta, ...more})
  const {envelope, environment} = context
  const where = settleWhere(flags, columns, context)
  await withTarget(flags, context, async (target) => {
    const sink = await openSink(flags, target, columns, {resource, envelope, environment, where})
    for await (const page of toPages(records)) {
      await sink.records(page)
      if (sink.isCut) break
    }

    await sink.end()
    await target.commit()
    for (const note of sink.notes) context.messages.note(note)
    const narrowed = isNarrowed || flags.where !== undefined
    const none = describeNone(flags, target.path, {resource, isNarrowed: narrowed})
    const isTold = sink.rows > 0 || sink.isCut || context.isJson || (usual && !narrowed)
    if (none !== undefined && !isTold) context.messages.note(none)
    if (sink.isCut) context.messages.note(`showing ${counted(sink.rows, 'row')}; --limit cut the rest off`)
    await context.present({
      data: sink.data === null ? {file: target.path ?? null, rows: sink.rows} : sink.data,
      exit: sink.rows === 0 && flags['fail-on-empty'] === true ? 'empty' : exit,
      meta: {...meta, truncated: sink.isCut},
      ...more,
    })
  })
}

function isUsual(flags: RecordFlags): boolean {
  const given: Readonly<Record<string, unknown>> = flags
  return Object.keys(recordFlags).every((name) => given[name] === undefined)
}

async function* toPages(records: LocalRecords['records']): AsyncGenerator<Iterable<JsonRecord>, void, void> {
  if (Symbol.asyncIterator in records) yield* records
  else yield records
}
