import {thousands} from '../../values/counted.js'
import {isRecord, type JsonValue} from '../../values/json.js'

/** A value in words: `site 38, machine 1,298` instead of its JSON; `none` where it holds nothing. */
export function sayValue(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.map(sayValue).join('; ') || 'none'
  if (!isRecord(value)) return String(value)
  const parts = Object.entries(value).map(
    ([name, one]) => `${name.replaceAll('_', ' ')} ${typeof one === 'number' ? thousands(one) : sayValue(one)}`,
  )
  return parts.join(', ') || 'none'
}
