import {counted} from '../../values/counted.js'
import type {Plan} from './plan.js'

/** What to say of rows that need not be sent, in sentences. */
export function describeNothing(plan: Plan): string[] {
  const {file, format, rows, sets, undoes} = plan
  if (rows.length === 0) return [format ? `${file} holds no rows: nothing to do.` : 'nothing matches: nothing to do.']
  const unchanged = rows.filter(({skip}) => skip === 'unchanged').length
  if (unchanged === 0) return []
  const end = sets.length === 0 ? ': nothing to do' : ''
  if (undoes !== undefined) return [`${countRows(unchanged, 'is', 'are')} as before run ${undoes} already${end}`]
  const hint = plan.applies ? '' : ' (--send-unchanged sends such rows)'
  return [
    `${countRows(unchanged, 'changes', 'change')} nothing and ${unchanged === 1 ? 'is' : 'are'} not sent${hint}${end}`,
  ]
}

function countRows(count: number, one: string, many: string): string {
  return `${counted(count, 'row')} ${count === 1 ? one : many}`
}
