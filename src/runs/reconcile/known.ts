import {type WriteId, writeOperation} from '../../contract/index.js'
import {isRecord, type JsonRecord, parseJson} from '../../values/json.js'
import {naturalKeyOf} from '../check/row-content.js'
import {keyOf} from '../plan/read-current.js'
import {answerOf, type LoadedPart, type LoadedRun} from '../resume/load-run.js'

/** Of the records that were changed, how they were before, by the digits of their ids. */
export function recordsBefore(
  operation: WriteId,
  records: readonly JsonRecord[],
  preimages: ReadonlyMap<string, string>,
): Map<string, JsonRecord> {
  const before = new Map<string, JsonRecord>()
  if (writeOperation(operation).body === 'create') return before
  for (const record of records) {
    const text = preimages.get(naturalKeyOf(operation, record) ?? '')
    const value = text === undefined ? undefined : parseJson(text)
    if (value !== undefined && isRecord(value)) before.set(keyOf(record['id']), value)
  }

  return before
}

/** Ids that no record of this set can have: they were there before, or other sets of the run made them. */
export function knownIdsOf(
  {plan, parts}: LoadedRun,
  {part}: LoadedPart,
  preimages: ReadonlyMap<string, string>,
): Set<string> {
  if (writeOperation(plan.operation).body !== 'create') return new Set()
  const known = new Set(preimages.keys())
  for (const other of parts) {
    const answer = other.part.seq === part.seq ? undefined : answerOf(other.part)
    if (answer?.fate === 'applied') for (const id of answer.ids) known.add(keyOf(id))
  }

  return known
}
