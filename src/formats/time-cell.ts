import {toMilliseconds} from '../values/date-time.js'
import type {JsonValue} from '../values/json.js'
import type {Clock, Column} from './columns.js'

const withTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/
const withOffset = /(?:Z|[+-]\d{2}:\d{2})$/
const beyondMilliseconds = /\.\d{3}(\d{1,6})/

/** Whether the times of a column are UTC; all others are local to a machine, or not defined. [pub] */
export function isUtcColumn({kind, path}: Column): boolean {
  return kind === 'dateTime' && /utc$/i.test(path.at(-1) ?? '')
}

/** The clock that the times of a column show; undefined for a column without times. */
export function clockOf(column: Column): Clock | undefined {
  return column.kind === 'dateTime' ? (isUtcColumn(column) ? 'utc' : 'local') : column.clock
}

/**
 * Microseconds since 1970, as if a local clock showed UTC. Undefined for what is no time, for a finer fraction, and for
 * a local time with an offset.
 */
export function toMicroseconds(value: JsonValue, isUtc: boolean): bigint | undefined {
  if (typeof value !== 'string' || !withTime.test(value) || (!isUtc && withOffset.test(value))) return undefined
  const milliseconds = toMilliseconds(value)
  if (milliseconds === undefined) return undefined
  const rest = (beyondMilliseconds.exec(value)?.[1] ?? '').padEnd(6, '0')
  return rest.endsWith('000') ? BigInt(milliseconds) * 1000n + BigInt(rest.slice(0, 3)) : undefined
}

/** Milliseconds since 1970; undefined for a time with microseconds, and as for `toMicroseconds`. */
export function toWholeMilliseconds(value: JsonValue, isUtc: boolean): number | undefined {
  const microseconds = toMicroseconds(value, isUtc)
  return microseconds === undefined || microseconds % 1000n !== 0n ? undefined : Number(microseconds / 1000n)
}
