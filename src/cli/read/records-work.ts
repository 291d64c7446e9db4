import type {ExitName} from '../../contract/index.js'
import type {ErrorEntry} from '../../core/errors.js'
import type {Column} from '../../formats/columns.js'
import {createSelect} from '../../formats/select.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {CommandWork} from '../app/command-work.js'
import type {EnvelopeMeta} from '../app/envelope.js'
import {describeContradiction} from './format-of.js'
import {type ReadFlags, toSelection} from './read-flags.js'
import {recordFlags} from './record-flags.js'
import {openSink} from './sink-for.js'
import {openTarget} from './text-target.js'

export type Shown = {
  /** Kind of the records, for the order of columns on a terminal and the name of a table. */
  resource: string
  columns: readonly Column[]
  records: Iterable<JsonRecord> | AsyncIterable<Iterable<JsonRecord>>
  runId?: string
  exit?: ExitName
  meta?: EnvelopeMeta
  errors?: ErrorEntry[]
  /** What is printed unless a format or a selection is asked for: a table for people, and the data of `--json`. */
  usual?: {text: string | undefined; data: JsonValue}
}

const asking = Object.keys(recordFlags)

/** A command that prints records which lie on this machine, in every format. */
export class RecordsWork extends CommandWork {
  async presentRecords(flags: ReadFlags, shown: Shown): Promise<void> {
    const {resource, columns, records, runId, exit, meta, errors, usual} = shown
    const more = {...(runId !== undefined && {runId}), ...(errors && {errors})}
    if (usual && asking.every((name) => flags[name] === undefined)) {
      return this.present({...usual, exit: exit ?? 'ok', meta: {...meta}, ...more})
    }
    const select = createSelect({columns, ...toSelection(flags)})
    const target = await openTarget(flags, this.environment)
    const contradiction = describeContradiction(flags)
    if (contradiction) this.caution(contradiction)
    try {
      const sink = await openSink(flags, target, columns, {resource, envelope: this.envelope})
      for await (const page of toPages(records)) await sink.page(select.page(page))
      await sink.page(select.end())
      await sink.end()
      await target.commit()
      for (const note of sink.notes) this.messages.note(note)
      if (select.isCut) this.caution(`showing ${counted(sink.rows, 'row')}; --limit cut the rest off`)
      const isEmpty = sink.rows === 0 && flags['fail-on-empty'] === true
      await this.present({
        data: sink.data === null ? {file: target.path ?? null, rows: sink.rows} : sink.data,
        exit: isEmpty ? 'empty' : (exit ?? 'ok'),
        meta: {...meta, truncated: select.isCut},
        ...more,
      })
    } catch (error) {
      await target.discard()
      throw error
    }
  }
}

async function* toPages(records: Shown['records']): AsyncGenerator<Iterable<JsonRecord>, void, void> {
  if (Symbol.asyncIterator in records) yield* records
  else yield records
}
