import {Buffer} from 'node:buffer'
import type {JsonRecord} from '../../values/json.js'
import type {Column} from '../columns.js'
import {columnOf, createMatch, satisfies, toSortKeys} from '../conditions.js'
import {valueAt} from '../record-path.js'
import {SortKey} from './sort-key.js'

export type SelectOptions = {where: readonly string[]; sort?: string | undefined; limit?: number | undefined}

/**
 * The records that conditions and a limit let through, in order; `isCut` when the limit kept one back. For records that
 * are made here and few. Throws a `CliFailure` for a condition or order that cannot be read, or has an unknown name.
 */
export function selectRecords(
  records: readonly JsonRecord[],
  columns: readonly Column[],
  {where, sort, limit = Number.POSITIVE_INFINITY}: SelectOptions,
): {records: JsonRecord[]; isCut: boolean} {
  const keys = sort === undefined ? [] : toSortKeys(sort)
  const {conditions, names} = createMatch({where, sort: keys.map(({name}) => name)}, columns)
  for (const record of records) names?.see(record)
  names?.check()
  const by = keys.map(({name, descending}) => ({path: columnOf(name, columns).path, descending}))
  const key = new SortKey()
  const kept = records.filter((record) => satisfies(record, conditions))
  const found = kept.map((record) => {
    key.clear()
    for (const {path, descending} of by) key.value(valueAt(record, path), descending)
    return {record, key: Buffer.from(key.bytes.subarray(0, key.length))}
  })
  found.sort((one, other) => one.key.compare(other.key))
  return {records: found.slice(0, limit).map(({record}) => record), isCut: found.length > limit}
}
