import type {WriteId} from '../../contract/index.js'
import {contentDigest, naturalKeyOf} from '../check/row-content.js'
import type {PlannedRow} from '../plan/cut-sets.js'

/** What tells a row among the rows of all runs. */
export type RowKey = {place: number; digest: string; naturalKey: string | null}

export function digestText(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1')
}

/** Keys of the rows of a plan; their digests are kept in the rows, so that they are made once. */
export function toRowKeys(operation: WriteId, rows: readonly PlannedRow[]): RowKey[] {
  return rows.map((row, place) => {
    row.digest ??= contentDigest(row.given ?? row.record)
    return {place, digest: digestText(row.digest), naturalKey: naturalKeyOf(operation, row.record)}
  })
}

/** Keys to look rows up by: how many rows have a content, and which records they name. */
export type KeyIndex = {digests: Map<string, number>; naturalKeys: Set<string>}

export function indexKeys(keys: Iterable<RowKey>): KeyIndex {
  const index: KeyIndex = {digests: new Map(), naturalKeys: new Set()}
  for (const {digest, naturalKey} of keys) {
    index.digests.set(digest, (index.digests.get(digest) ?? 0) + 1)
    if (naturalKey !== null) index.naturalKeys.add(naturalKey)
  }

  return index
}

/** Rows of the one side that the other side holds, too: by the record that they name, else by content, one for one. */
export function findShared(keys: readonly RowKey[], {digests, naturalKeys}: KeyIndex): RowKey[] {
  const left = new Map(digests)
  return keys.filter(({digest, naturalKey}) => {
    if (naturalKey !== null) return naturalKeys.has(naturalKey)
    const count = left.get(digest) ?? 0
    left.set(digest, count - 1)
    return count > 0
  })
}
