import {counted} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'

/** A field that is not as it was sent; without `before` where that is not known. */
export type FieldFinding = {field: string; expected: JsonValue; before?: JsonValue; found: JsonValue}

/** A row that a person must look at: its place in the set, the record that was found for it, and what is odd there. */
export type RowFinding = {index: number; id?: JsonValue | undefined; fields?: FieldFinding[]}

/**
 * What one look at the records proves about a set.
 * `applied`: all of it; with the ids of created records in the order of the set.
 * `none`: nothing of it so far; `final` when a first copy that comes late would be refused.
 * `open`: alerts that are still to be cleared, by their places in the set; the others are cleared or gone. `seen` when
 * all of these were found to be open.
 * `unclear`: someone else had a hand in it.
 */
export type Judgement =
  | {kind: 'applied'; ids: JsonValue[]; evidence: string}
  | {kind: 'none'; final: boolean; evidence: string}
  | {kind: 'open'; open: number[]; seen: boolean; evidence: string}
  | {kind: 'unclear'; rows: RowFinding[]; evidence: string}

/** The records of one set as they were sent, and what is known of how things were before. */
export type Sent = {
  records: readonly JsonRecord[]
  /** Of changes: the record before, by the digits of its id. */
  before: ReadonlyMap<string, JsonRecord>
  /** Of creates: ids of records that were there before or belong to other sets, as digits. */
  known: ReadonlySet<string>
  /** Whether `known` is all that could be taken for the set. */
  whole: boolean
}

/** The evidence that all created records of a set were found. */
export function foundAsSent(count: number, noun: string): string {
  return `${counted(count, noun)} found, ${count === 1 ? 'new and as it was sent' : 'all of them new and as they were sent'}`
}
