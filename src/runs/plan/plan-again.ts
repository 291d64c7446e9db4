import {writeOperation} from '../../contract/index.js'
import {commandLine, type FlagValues} from '../../core/command-line.js'
import type {PlanHead} from './plan-document.js'

/** How to plan again into `out`; a plan does not keep the filters and options as they were typed. */
export function planAgain(
  {operation, input}: Pick<PlanHead, 'operation' | 'input'>,
  out: string,
  more: FlagValues = {},
) {
  const {command} = writeOperation(operation)
  const flags = {'dry-run': true, 'plan-out': out, ...more} as const
  if (!input) return `plan again with the same alerts or filters: ${commandLine(`${command} …`, [], flags)}`
  const file = input.name === 'stdin' ? '-' : input.name
  return `plan again with the same options: ${commandLine(command, [], {file, ...input.flags, ...tableOf(input), ...flags})}`
}

/** The sheet and the header of a workbook, and the header of a table that is not in its first row. */
function tableOf({sheet, headerRow = 1}: NonNullable<PlanHead['input']>): FlagValues {
  return {...(sheet !== undefined && {sheet}), ...(headerRow > 1 && {'header-row': String(headerRow)})}
}
