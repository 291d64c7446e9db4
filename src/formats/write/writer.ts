import type {JsonRecord} from '../../values/json.js'
import type {Lost} from '../flatten.js'

/** Writes records of known columns as text. */
export type Writer = {
  readonly header: string
  /** Values that no column shows are counted in `lost`, if given. Every record is asked for once. */
  records(records: Iterable<JsonRecord>, lost?: Lost): Iterable<string>
  footer(): string
  /** What a person should know about how the records are shown. */
  readonly notes?: readonly string[]
}
