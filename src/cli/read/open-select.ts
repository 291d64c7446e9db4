import {systemClock} from '../../core/clock.js'
import type {Column} from '../../formats/columns.js'
import {describeSettled, settleConditions} from '../../formats/conditions.js'
import {createSelect, type Select} from '../../formats/select.js'
import type {CommandContext} from '../app/command-context.js'
import type {RecordFlags} from './read-flags.js'

/** What `--where`, `--sort` and `--limit` let through; dates that move with the time are reported as they stand now. */
export function openSelect(
  {where = [], sort, limit}: Pick<RecordFlags, 'where' | 'sort' | 'limit'>,
  columns: readonly Column[],
  {messages}: Pick<CommandContext, 'messages'>,
): Select {
  const settled = settleConditions(where, columns, systemClock.now())
  for (const note of describeSettled(where, settled)) messages.note(note)
  const given = {...(sort !== undefined && {sort}), ...(limit !== undefined && {limit})}
  return createSelect({columns, where: settled, ...given})
}
