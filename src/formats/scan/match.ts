import type {JsonRecord} from '../../values/json.js'
import type {Column} from '../columns.js'
import {toCondition} from '../conditions.js'
import {valueAt} from '../record-path.js'

/** Conditions that can be told from a few fields of a record. */
export type Match = {
  /** Dotted names of the fields. */
  readonly fields: readonly string[]
  readonly holds: (record: JsonRecord) => boolean
}

/**
 * The texts of `--where` as one question, when each of them names one of these columns; undefined when one does not.
 * The answer is that of `createSelect`. Throws a `CliFailure` for a condition that cannot be read.
 */
export function createMatch(where: readonly string[], columns: readonly Column[]): Match | undefined {
  const conditions = where.map((text) => toCondition(text, columns))
  const known = conditions.flatMap(({column, holds}) => (column ? [{...column, holds}] : []))
  if (known.length < conditions.length) return undefined
  return {
    fields: known.map(({name}) => name),
    holds: (record) => known.every(({path, holds}) => holds(valueAt(record, path))),
  }
}
