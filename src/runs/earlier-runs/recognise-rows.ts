import type {RowKey} from './row-keys.js'
import type {AppliedRow} from './rows-of-run.js'

export type RecognisedRows = {
  /** The rows that were applied before, by their place. */
  found: Map<number, AppliedRow>
  /** Rows whose record was written with other content. */
  conflicts: {place: number; applied: AppliedRow}[]
}

/**
 * Finds rows among those that earlier runs applied, given from the oldest to the newest. A row that names a record is
 * found when the last one who wrote the record wrote the same; of equal rows without a name, each is found once.
 */
export function recogniseRows(rows: Iterable<RowKey>, applied: Iterable<AppliedRow>): RecognisedRows {
  const byKey = new Map<string, AppliedRow>()
  const byDigest = new Map<string, AppliedRow[]>()
  for (const row of applied) {
    if (row.naturalKey !== null) byKey.set(row.naturalKey, row)
    else add(byDigest, row)
  }

  const known: RecognisedRows = {found: new Map(), conflicts: []}
  for (const {place, digest, naturalKey} of rows) {
    const before = naturalKey === null ? byDigest.get(digest)?.shift() : byKey.get(naturalKey)
    if (before?.digest === digest) known.found.set(place, before)
    else if (before) known.conflicts.push({place, applied: before})
  }

  return known
}

function add(byDigest: Map<string, AppliedRow[]>, row: AppliedRow): void {
  const equal = byDigest.get(row.digest)
  if (equal) equal.push(row)
  else byDigest.set(row.digest, [row])
}
