import type {Column} from '../../formats/columns.js'
import {describeSettled, settleConditions} from '../../formats/conditions.js'
import type {CommandContext} from '../app/command-context.js'

/** The conditions with dates that move with the time as they stand now, which is reported. */
export function settleWhere(
  {where = []}: {where?: readonly string[] | undefined},
  columns: readonly Column[],
  {messages, clock}: Pick<CommandContext, 'messages' | 'clock'>,
): string[] {
  const settled = settleConditions(where, columns, clock.now())
  for (const note of describeSettled(where, settled)) messages.note(note)
  return settled
}
