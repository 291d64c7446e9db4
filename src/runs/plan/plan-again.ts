import {writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import type {PlanHead} from './plan-document.js'

type FlagValues = Parameters<typeof commandLine>[2]

/** How a plan is made anew into `out`; what chose its records or set its options stands in no plan as it was typed. */
export function planAgain(
  {operation, input}: Pick<PlanHead, 'operation' | 'input'>,
  out: string,
  more: FlagValues = {},
) {
  const {command} = writeOperation(operation)
  const flags = {'dry-run': true, 'plan-out': out, ...more} as const
  if (!input) return `plan again with the same alerts or filters: ${commandLine(`${command} …`, [], flags)}`
  const file = input.name === 'stdin' ? '-' : input.name
  return `plan again with the same options: ${commandLine(command, [], {file, ...flags})}`
}
