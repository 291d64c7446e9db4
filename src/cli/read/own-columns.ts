import {type Column, toColumn} from '../../formats/columns.js'

/** Commands and references, which a table never cuts. */
const whole = new Set(['command', 'deliver', 'next', 'fix', 'undoneBy', 'continuedBy'])
const counts = ['rows', 'applied', 'refused', 'rolledBack', 'inDoubt', 'unsent', 'requests'] as const
const texts = ['id', 'state', 'command', 'file', 'profile', 'stage'] as const

/** Columns of the list of runs. */
export const runColumns: readonly Column[] = [
  ...ownColumns(texts),
  toTimeColumn('started'),
  ...ownColumns(counts, counts),
  ...ownColumns(['next', 'pid', 'host']),
  toTimeColumn('since'),
  ...ownColumns(['undoneBy', 'continuedBy', 'kind', 'unchanged'], ['unchanged']),
]

/** Columns of the log of the sandbox. */
export const requestColumns: readonly Column[] = [
  ...ownColumns(['id'], ['id']),
  {...toTimeColumn('time'), isWhole: true},
  ...ownColumns(['operation', 'method', 'path']),
  ...ownColumns(['status', 'milliseconds', 'records'], ['status', 'milliseconds', 'records']),
  ...ownColumns(['user', 'key', 'fault']),
]

/** A column of moments, which are printed in UTC. */
export function toTimeColumn(name: string): Column {
  return {...toColumn([name], 'text'), clock: 'utc'}
}

/** Columns of a list of local records by their names; `numbers` are those that contain numbers. */
export function ownColumns(names: readonly string[], numbers: readonly string[] = []): Column[] {
  return names.map((name) => ({
    ...toColumn([name], numbers.includes(name) ? 'integer' : 'text'),
    ...(whole.has(name) && {isWhole: true}),
  }))
}
