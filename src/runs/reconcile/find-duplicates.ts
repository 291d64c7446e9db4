import type {WriteAnswer} from '../../client/types.js'
import {type WriteId, writeOperation} from '../../contract/index.js'
import type {PlannedRow} from '../plan/cut-sets.js'
import {createResolver} from '../send/pointers.js'

type Refused = Extract<WriteAnswer, {fate: 'refused'}>

/** The refusal of a record that exists already, or that is already as a write would make it. */
const codes: Partial<Record<WriteId, string>> = {
  'sites.create': 'NAME_UNIQUENESS',
  'alerts.create': 'ALERT_EXISTS',
  'machines.custom-data.create': 'CUSTOM_DATA_EXISTS',
  'alerts.clear': 'ALREADY_CLEARED',
}

/** The places in the set of the rows that a refusal names as duplicates; undefined when it is none or not only that. */
export function findDuplicates(
  operation: WriteId,
  {refusals}: Refused,
  rows: readonly Pick<PlannedRow, 'record'>[],
): Set<number> | undefined {
  if (refusals.length === 0 || !refusals.every(({code}) => code === codes[operation])) return undefined
  const {resource, identity} = writeOperation(operation)
  const records = rows.map(({record}) => record)
  const resolved = refusals.flatMap(createResolver({records, resource, identity}))
  return new Set(resolved.flatMap(({indexes}) => [...indexes]))
}
