import {contentDigest, naturalKeyOf} from '../check/row-content.js'
import type {PlannedRow, PlannedSet} from '../plan/cut-sets.js'
import type {Plan} from '../plan/plan.js'

/** Whether a set holds a record that one of the others holds too, so that it must wait until they are no longer in doubt. */
export function sharesRecord(
  {operation, rows}: Pick<Plan, 'operation' | 'rows'>,
  {places}: Pick<PlannedSet, 'places'>,
  others: readonly Pick<PlannedSet, 'places'>[],
): boolean {
  if (others.length === 0) return false
  const nameOf = (place: number) => nameOfRow(operation, rows[place])
  const names = new Set(others.flatMap((other) => other.places.map(nameOf)))
  return places.some((place) => names.has(nameOf(place)))
}

/** Rows of a resource without natural key are the same when their content is. */
function nameOfRow(operation: Plan['operation'], row: PlannedRow | undefined): string {
  const record = row?.record ?? {}
  const content = () => Buffer.from(row?.digest ?? contentDigest(record)).toString('hex')
  return naturalKeyOf(operation, record) ?? content()
}
