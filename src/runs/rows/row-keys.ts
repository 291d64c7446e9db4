import {createHash} from 'node:crypto'
import {type WriteId, writeOperation} from '../../contract/index.js'
import type {RowList} from './cut-sets.js'
import {isRelative} from './field-rules.js'
import type {Batch} from './phases.js'
import {contentDigest, naturalKeyOf, saidBy} from './row-content.js'

/** What identifies a row among the rows of all runs; equal content has an equal digest. */
export type RowKey = {place: number; digest: string; naturalKey: string | null}

export function digestText(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1')
}

/** Keys of the rows of a plan. */
export function toRowKeys(operation: WriteId, rows: RowList): RowKey[] {
  return rows.map((row, place) => {
    const digest = row.digest ?? contentDigest(saidBy(row))
    return {place, digest: digestText(digest), naturalKey: naturalKeyOf(operation, row.record)}
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

/** Whether a row has the content, or names the record, of an indexed one. */
export function isAmong({digest, naturalKey}: RowKey, {digests, naturalKeys}: KeyIndex): boolean {
  return digests.has(digest) || (naturalKey !== null && naturalKeys.has(naturalKey))
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

/** A digest of rows that would be written a second time, in any order; none of an undo, which looks for itself. */
export function digestOfRows(plan: Pick<Batch, 'operation' | 'rows' | 'origin' | 'changes'>): string | undefined {
  const {operation, rows, origin} = plan
  if (!writesAgain(plan) || origin.kind === 'undo') return undefined
  const digests = toRowKeys(operation, rows).map(({digest}) => digest)
  return createHash('sha256').update(digests.sort().join(''), 'latin1').digest('hex')
}

/** Whether equal rows are written once more: they create records without a natural key, or change a field by a number. */
export function writesAgain({operation, changes}: Pick<Batch, 'operation' | 'changes'>): boolean {
  const {body, identity, difference} = writeOperation(operation)
  return difference !== null || isRelative(changes) || (body === 'create' && identity.length === 0)
}
