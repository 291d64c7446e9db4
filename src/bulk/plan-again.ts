import {shellWord} from '../values/shell-word.js'
import type {PlanHead} from './plan-document.js'

/** How a plan is made anew into `out`; what chose its records or set its options stands in no plan as it was typed. */
export function planAgain({command, input}: Pick<PlanHead, 'command' | 'input'>, out: string): string {
  if (!input) return `plan again with the same alerts or filters: vendorctl ${command} … --dry-run --plan-out ${out}`
  const file = input.name === 'stdin' ? '-' : shellWord(input.name)
  return `plan again with the same options: vendorctl ${command} -f ${file} --dry-run --plan-out ${out}`
}
