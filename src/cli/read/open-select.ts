import {systemClock} from '../../core/clock.js'
import type {Column} from '../../formats/columns.js'
import {describeSettled, settleConditions} from '../../formats/conditions.js'
import {createSelect, type Select} from '../../formats/select.js'
import type {CommandContext} from '../app/command-context.js'
import type {RecordFlags} from './read-flags.js'

type Selected = Pick<RecordFlags, 'where' | 'sort' | 'limit'>

/** What `--where`, `--sort` and `--limit` let through; dates that move with the time are reported as they stand now. */
export function openSelect(
  {where, sort, limit}: Selected,
  columns: readonly Column[],
  context: Pick<CommandContext, 'messages'>,
): Select {
  const given = {...(sort !== undefined && {sort}), ...(limit !== undefined && {limit})}
  return createSelect({columns, where: settleWhere({where}, columns, context), ...given})
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
