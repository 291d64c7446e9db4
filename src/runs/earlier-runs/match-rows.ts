import {useOf, writeOperation} from '../../contract/index.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {diffRecords, type FieldChange} from '../rows/merge-fields.js'
import type {Batch} from '../rows/phases.js'
import {valueAt} from '../rows/pointers.js'
import {type RowKey, saidBy} from '../rows/row-content.js'
import type {AppliedRow, RowsOfRun} from './read-runs.js'

/** A row whose record an earlier run wrote with other content; the changes are undefined where they are not known. */
export type ChangedRow = {place: number; applied: AppliedRow; changes: FieldChange[] | undefined}

/** The rows of a plan by what earlier runs did with them. */
export type Match = {
  /** Applied before with this content, by place. */
  applied: Map<number, AppliedRow>
  changed: ChangedRow[]
  /** Rows that no earlier run applied. */
  fresh: RowKey[]
}

type Rows = Pick<Batch, 'operation' | 'rows' | 'merges'>

export type MatchOptions = {
  /** Records of a run as its input gave them, by place; empty where they are not known. */
  recordsOf(run: string): readonly JsonRecord[]
  /** Whether a row without a natural key may be a reworded one that was applied. */
  findsReworded: boolean
}

/**
 * Matches the rows that a plan would send with the rows of earlier runs, given from the oldest to the newest. A row
 * with a natural key is compared with what the last run wrote to its record; of equal rows without a key each matches
 * once. Time: linear in the rows of the runs, and in those of the plan for each run; memory: the keys of all of them.
 */
export function matchRows(
  plan: Rows,
  keys: readonly RowKey[],
  runs: readonly RowsOfRun[],
  {recordsOf, findsReworded}: MatchOptions,
): Match {
  const toSend = keys.filter(({place}) => plan.rows.at(place)?.skip === undefined)
  const isDifference = writeOperation(plan.operation).difference !== null
  const find = createFinder(runs, isDifference)
  const pairs = toSend.flatMap((key) => {
    const applied = find(key)
    return applied ? [{...key, applied}] : []
  })
  const applied = new Map(
    pairs.flatMap((pair) => (pair.digest === pair.applied.digest ? [[pair.place, pair.applied]] : [])),
  )
  const others = pairs.filter(({place}) => !applied.has(place))
  const reworded = findsReworded ? findReworded(plan, {toSend, applied, runs, recordsOf}) : []
  const changed = [...others, ...reworded].flatMap((pair) => toChanged(plan, pair, recordsOf))
  const isChanged = new Set(changed.map(({place}) => place))
  return {applied, changed, fresh: toSend.filter(({place}) => !applied.has(place) && !isChanged.has(place))}
}

/**
 * Finds what was applied of a row; each applied row without a natural key is found once, and so is one that changes its
 * record by a number: another number is another change.
 */
function createFinder(runs: readonly RowsOfRun[], isDifference: boolean): (key: RowKey) => AppliedRow | undefined {
  const byKey = new Map<string, AppliedRow>()
  const byDigest = new Map<string, AppliedRow[]>()
  const ids = new Set(runs.map(({run}) => run))
  for (const {applied, appliedElsewhere} of runs) {
    for (const row of [...applied, ...appliedElsewhere.filter(({run}) => !ids.has(run))]) {
      const equal = byDigest.get(row.digest)
      if (row.naturalKey !== null && !isDifference) byKey.set(row.naturalKey, row)
      else if (equal) equal.push(row)
      else byDigest.set(row.digest, [row])
    }
  }

  return ({digest, naturalKey}) =>
    naturalKey === null || isDifference ? byDigest.get(digest)?.shift() : byKey.get(naturalKey)
}

/** A create contradicts what was applied in any case; an update where it gives a field another value. */
function toChanged(
  {operation, rows, merges}: Rows,
  {place, applied}: {place: number; applied: AppliedRow},
  recordsOf: MatchOptions['recordsOf'],
): ChangedRow[] {
  const write = writeOperation(operation)
  const {body, merge, resource} = write
  const row = rows.at(place)
  const before = recordsOf(applied.run)[applied.place]
  if (!row || !before) return [{place, applied, changes: undefined}]
  const isComplete = body === 'create' || (merge === 'full-replace' && !merges)
  const all = diffRecords(before, saidBy(row), resource, isComplete, useOf(write))
  const changes = isComplete ? all : all.filter(({field}) => valueAt(before, field) !== undefined)
  return changes.length > 0 || body === 'create' ? [{place, applied, changes}] : []
}

type Rewording = Pick<MatchOptions, 'recordsOf'> & {
  toSend: readonly RowKey[]
  applied: Match['applied']
  runs: readonly RowsOfRun[]
}

/**
 * Rows like one that was applied and is not among the rows any more: the same alert with another message. A row that
 * may be the fix of a refused one is not among them.
 */
function findReworded({operation, rows}: Rows, {toSend, applied, runs, recordsOf}: Rewording) {
  const {probe} = writeOperation(operation)
  if (probe.kind !== 'likeness' || applied.size === toSend.length) return []
  const lastingFields = [...Object.values(probe.filters), probe.like.time.sent]
  const likenessOf = (record: JsonRecord) => printJson(lastingFields.map((name) => record[name] ?? null))
  const matched = new Set(applied.values())
  const digests = new Set(toSend.map(({digest}) => digest))
  return runs.flatMap((run) => {
    const missing = run.applied.filter((row) => !matched.has(row))
    const own = new Set(run.all.map(({digest}) => digest))
    const others = toSend.filter(({place, digest}) => !applied.has(place) && !own.has(digest))
    if (missing.length === 0 || others.length === 0 || !toSend.some(({digest}) => own.has(digest))) return []
    const records = recordsOf(run.run)
    const likenessAt = ({place}: RowKey) => likenessOf(records[place] ?? {})
    const notApplied = [...run.refused, ...run.inDoubt, ...run.planned].filter(({digest}) => !digests.has(digest))
    const fixable = Map.groupBy(notApplied, likenessAt)
    const reworded = Map.groupBy(missing, likenessAt)
    return others.flatMap(({place}) => {
      const row = rows.at(place)
      const likeness = likenessOf(row ? saidBy(row) : {})
      const before = fixable.get(likeness)?.pop() ? undefined : reworded.get(likeness)?.shift()
      return before ? [{place, applied: before}] : []
    })
  })
}
