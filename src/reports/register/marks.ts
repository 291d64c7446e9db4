import type {Database, Row} from '../../core/sqlite.js'
import {checksum} from '../../values/checksum.js'

/** Up to where a named export has read, and what its next run may meet again. */
export type Watermark = {
  /** The end of what was read, as the service counts time. */
  at: string
  /** Where the next run begins: so much earlier. */
  nextStart: string
  /** Keys of the records that were read from there on. */
  keys: readonly string[]
  /** Digest of the manifest that it belongs to; empty after it was set by hand. */
  manifest: string
}

export type NamedMark = {name: string; scope: string; value: Watermark}

/** An earlier version of this program changes marks and leaves their seals as they were. */
export const markColumns = 'watermark.*, seal.sum FROM watermark LEFT JOIN seal USING (name, scope, manifest)'

export function putMark(database: Database, {name, scope, value}: NamedMark): void {
  const {at, nextStart, keys, manifest} = value
  database.run(
    'INSERT OR REPLACE INTO watermark VALUES (?, ?, ?, ?, ?, ?)',
    ...[name, scope, at, nextStart, JSON.stringify(keys), manifest],
  )
  database.run('INSERT OR REPLACE INTO seal VALUES (?, ?, ?, ?)', name, scope, manifest, sumOf(value))
}

/** A row of `markColumns`; undefined for a mark that a disk fault changed: it would skip records or export them twice. */
export function toMark(row: Row): Watermark | undefined {
  const mark = {
    at: String(row['at']),
    nextStart: String(row['next_start']),
    keys: JSON.parse(String(row['keys'])) as string[],
    manifest: String(row['manifest']),
  }
  return row['sum'] === null || row['sum'] === sumOf(mark) ? mark : undefined
}

function sumOf({at, nextStart, keys, manifest}: Watermark): number {
  return checksum(JSON.stringify([at, nextStart, keys, manifest]))
}
