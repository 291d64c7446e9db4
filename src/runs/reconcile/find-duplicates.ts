import type {WriteAnswer} from '../../client/types.js'
import {type WriteId, writeOperation} from '../../contract/index.js'
import type {PlannedRow} from '../plan/cut-sets.js'
import {createResolver} from '../send/pointers.js'

export type Refused = Extract<WriteAnswer, {fate: 'refused'}>

/** The places in the set of the rows that a refusal names as duplicates; undefined when it is none or not only that. */
export function findDuplicates(
  operation: WriteId,
  {refusals}: Refused,
  rows: readonly Pick<PlannedRow, 'record'>[],
): Set<number> | undefined {
  const {resource, identity, target, sentAs, duplicateCode} = writeOperation(operation)
  if (refusals.length === 0 || !refusals.every(({code}) => code === duplicateCode)) return undefined
  const records = rows.map(({record}) => record)
  const resolved = refusals.flatMap(createResolver({records, resource, identity, target, sentAs}))
  return new Set(resolved.flatMap(({indexes}) => [...indexes]))
}
