import type {Write} from '../../contract/index.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'

/** A field that is not as it was sent; without `before` where that is not known. */
export type FieldFinding = {field: string; expected: JsonValue; before?: JsonValue; found: JsonValue}

/** A row that a person must look at: its place in the set, the record that was found for it, and what is odd there. */
export type RowFinding = {index: number; id?: JsonValue | undefined; fields?: FieldFinding[]}

/**
 * What one probe proves about a set.
 * `applied`: all of it; with the ids of created records in the order of the set.
 * `none`: nothing of it so far; `final` when a first copy that arrives late would be refused.
 * `open`: records that have not reached their end state, by their places in the set; `seen` when all of them were found.
 * `unclear`: someone else changed some of the records.
 */
export type Judgement =
  | {kind: 'applied'; ids: JsonValue[]; evidence: string}
  | {kind: 'none'; final: boolean; evidence: string}
  | {kind: 'open'; open: number[]; seen: boolean; evidence: string}
  | {kind: 'unclear'; rows: RowFinding[]; evidence: string}

/** The records of one set as they were sent, and what is known of the records before. */
export type SentSet = {
  write: Write
  records: readonly JsonRecord[]
  /** What their rows say themselves, where the records are more. */
  given: readonly (JsonRecord | undefined)[]
  /** Of changes: the record before, by the digits of its id. */
  before: ReadonlyMap<string, JsonRecord>
  /** Of creates: ids of records that were there before or belong to other sets, as digits. */
  known: ReadonlySet<string>
  /** Whether `known` holds every record that could be taken for one of the set. */
  knowsAll: boolean
}

/** `7 alerts` */
export function countRecords(count: number, {words: {noun}}: Write): string {
  return counted(count, noun)
}

/** The judgement that all created records of a set were found. */
export function foundAsSent({records, write}: SentSet, ids: JsonValue[]): Judgement {
  const how = records.length === 1 ? 'new and as it was sent' : 'all of them new and as they were sent'
  return {kind: 'applied', ids, evidence: `${countRecords(records.length, write)} found, ${how}`}
}

export function noneFound({records, write}: SentSet): Judgement {
  return {kind: 'none', final: false, evidence: `none of ${countRecords(records.length, write)} found`}
}

/** Why a set of which only a part is there proves nothing. */
export const someoneElse = 'a set is applied completely or not at all, so someone else changed some of them'
