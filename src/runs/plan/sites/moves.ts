import {allFieldsOf, writeOperation} from '../../../contract/index.js'
import type {Finding, Problem} from '../../../validate/problem.js'
import type {JsonRecord, JsonValue} from '../../../values/json.js'
import {idText} from '../../../values/record-key.js'
import type {Compared, Place} from '../../rows/phases.js'
import {compareKnown} from '../compare.js'
import {problemAt} from '../merged-problems.js'
import type {Reader} from '../read-at-most.js'
import {writtenKey} from '../row-content.js'
import {readById} from './read-by-id.js'

/**
 * The plan with the places that its rows move records from and to. A place of another owner is a problem of its row.
 * Throws a `CliFailure` when the places cannot be read.
 */
export async function withMoves(plan: Compared, client: Reader): Promise<Compared> {
  const {operation} = plan
  const {moves, resource, target} = writeOperation(operation)
  const comparison = plan.comparison ?? (plan.before && moves ? compareKnown(plan, plan.before.records) : undefined)
  const changes = moves ? (comparison?.changes.filter(({field}) => field === moves.field) ?? []) : []
  if (!moves || changes.length === 0) return plan
  const kind = allFieldsOf(resource)[moves.field]?.refersTo ?? ''
  const ids = changes.flatMap(({from, to}) => [from, to])
  const places = await readById(
    client,
    kind,
    ids.filter((id) => id !== null),
  )
  const recordOf = (id: JsonValue) => plan.before?.records.get(writtenKey(operation, {[target]: id}))
  const problems = changes.flatMap(({line, id, to}): Problem[] => {
    const [place, record] = [places.get(idText(to)), recordOf(id)]
    const foreign =
      place && record && findForeign(record[moves.owner], place[moves.ownerThere], {kind, resource, to, id})
    return foreign ? [problemAt(plan, {line, field: moves.field, cell: idText(to)}, foreign)] : []
  })
  return {
    ...plan,
    moves: changes.map(({line, id, from, to}) => ({line, id, from: toPlace(from, places), to: toPlace(to, places)})),
    problems: [...plan.problems, ...problems],
  }
}

type Named = {kind: string; resource: string; to: JsonValue; id: JsonValue}

function findForeign(
  owner: JsonValue = null,
  there: JsonValue = null,
  {kind, resource, to, id}: Named,
): Finding | undefined {
  if (owner === null || there === null || idText(owner) === idText(there)) return undefined
  const message = `${kind} ${idText(to)} is of organization ${idText(there)}, and ${resource} ${idText(id)} of organization ${idText(owner)}: write a ${kind} of that organization`
  return {code: 'OTHER_ORGANIZATION', kind: message, message}
}

function toPlace(id: JsonValue, places: ReadonlyMap<string, JsonRecord>): Place {
  const name = places.get(idText(id))?.['name']
  return {id, name: typeof name === 'string' ? name : null}
}
