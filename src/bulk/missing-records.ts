import {writeOperation} from '../contract/index.js'
import type {Problem} from '../validate/problem.js'
import type {Plan} from './plan-file.js'
import {keyOf} from './read-current.js'

/** A problem for each row of a merge whose record does not exist; a row that is sent as it is leaves that to the service. */
export function findMissing({operation, file, merges, comparison, columns}: Plan): Problem[] {
  if (!merges || !comparison) return []
  const {resource} = writeOperation(operation)
  const column = columns.get('id')
  return comparison.missing.map(({line, id}) => ({
    file,
    line,
    ...(column !== undefined && {column}),
    columnName: 'id',
    severity: 'error',
    code: 'MISSING_RECORD',
    message: `no ${resource} ${keyOf(id)} exists that this login may see`,
    cell: keyOf(id),
  }))
}
