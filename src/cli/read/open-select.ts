import {systemClock} from '../../core/clock.js'
import {type Column, findColumns, toColumnNames} from '../../formats/columns.js'
import {describeSettled, settleConditions} from '../../formats/conditions.js'
import {createSelect, type Select} from '../../formats/select.js'
import type {CommandContext} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {stopSignal} from '../app/signals.js'
import type {RecordFlags} from './read-flags.js'
import type {RecordSink} from './record-sink.js'

type Selected = Pick<RecordFlags, 'where' | 'sort' | 'limit'>

/** What `--where`, `--sort` and `--limit` let through; dates that move with the time are reported as they stand now. */
export function openSelect(
  {where, sort, limit}: Selected,
  columns: readonly Column[],
  context: Pick<CommandContext, 'messages' | 'environment'>,
): Select {
  const given = {...(sort !== undefined && {sort}), ...(limit !== undefined && {limit})}
  const folder = () => stateFolder(context.environment)
  return createSelect({columns, where: settleWhere({where}, columns, context), ...given, folder})
}

/** Columns of fields that no chosen name leaves out and the contract does not know, once all records were seen. */
export function learntColumns(
  {columns: names}: Pick<RecordFlags, 'columns'>,
  columns: readonly Column[],
  select: Pick<Select, 'unknown'>,
): Column[] {
  const chosen = names === undefined ? undefined : toColumnNames([names])
  return chosen?.every((name) => findColumns(columns, name).length > 0) ? [] : select.unknown()
}

/** Writes what was held until all pages were read. */
export async function writeSorted(select: Pick<Select, 'end'>, sink: Pick<RecordSink, 'page'>): Promise<void> {
  for (const page of select.end()) {
    stopSignal.throwIfAborted()
    await sink.page(page)
  }
}

/** The conditions with dates that move with the time as they stand now, which is reported. */
export function settleWhere(
  {where = []}: Pick<Selected, 'where'>,
  columns: readonly Column[],
  {messages}: Pick<CommandContext, 'messages'>,
): string[] {
  const settled = settleConditions(where, columns, systemClock.now())
  for (const note of describeSettled(where, settled)) messages.note(note)
  return settled
}
