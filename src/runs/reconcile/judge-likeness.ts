import {type EndState, fieldsOf, type Likeness, type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {roundingMilliseconds, toMilliseconds} from '../../values/date-time.js'
import {isRecord, type JsonRecord, type JsonValue, printJson, valueText} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {Reader} from '../records/read-current.js'
import {similarKey} from '../records/similar-records.js'
import {
  countRecords,
  type FieldFinding,
  foundAsSent,
  type Judgement,
  noneFound,
  type RowFinding,
  type SentSet,
  someoneElse,
} from './judgement.js'

/**
 * Looks for created records that have no identity. Each new one counts once, and more of them than were sent prove
 * nothing. One that differs only in fields that anybody may change proves nothing either.
 */
export function judgeLikeness(sent: SentSet, found: readonly JsonRecord[], like: Likeness): Judgement {
  const {records, known, knowsAll} = sent
  const likeness = toLikeness(sent, like)
  const unknown = found.filter(({id}) => !known.has(idText(id)))
  const pool = new Pool(unknown, similarKey(sent.write))
  const matched = match(records, pool, likeness)
  const done = matched.filter((record) => record !== undefined)
  const surplus = records.flatMap((record) => pool.takeAll(record, likeness.isAsSent))
  const missing = [...matched.keys()].filter((index) => matched[index] === undefined)
  const similar = missing.map((index) => toFinding(index, records[index] ?? {}, pool, likeness))

  if (done.length === records.length && surplus.length === 0 && knowsAll) {
    const ids = done.map(({id = null}) => id)
    return foundAsSent(sent, ids)
  }
  if (done.length === 0 && surplus.length === 0 && similar.every(({id}) => id === undefined)) return noneFound(sent)
  const rows = missing.length > 0 ? similar : matched.map((record, index) => ({index, id: record?.['id']}))
  return {kind: 'unclear', rows, evidence: describe(sent, done.length, surplus, similar)}
}

function describe(
  {records: {length}, write}: SentSet,
  done: number,
  surplus: JsonRecord[],
  similar: RowFinding[],
): string {
  const {nouns} = write.words
  if (surplus.length > 0) {
    const ids = surplus.slice(0, 20).map(({id}) => idText(id))
    return `${done + surplus.length} ${nouns} like the ${length} that were sent, so some are doubled or of someone else: ids beyond the first ${done}: ${ids.join(', ')}`
  }
  if (done === length)
    return `${countRecords(length, write)} like these found, but there were too many before to know which are new`
  const changed = similar.filter(({id}) => id !== undefined)
  const other = changed.length > 0 ? `, ${changed.length} with another ${changed[0]?.fields?.[0]?.field}` : ''
  return `of ${countRecords(length, write)}: ${done} as sent${other}, ${length - done - changed.length} not found; ${someoneElse}`
}

type Fits = (sent: JsonRecord, found: JsonRecord) => boolean

/** Found records, each of which is matched with one row at most. */
class Pool {
  readonly #groups: Map<string, JsonRecord[]>
  readonly #toKey: (record: JsonRecord) => string

  constructor(records: readonly JsonRecord[], toKey: (record: JsonRecord) => string) {
    this.#groups = Map.groupBy(records, toKey)
    this.#toKey = toKey
  }

  take(sent: JsonRecord, fits: Fits): JsonRecord | undefined {
    const group = this.#groups.get(this.#toKey(sent)) ?? []
    const at = group.findIndex((record) => fits(sent, record))
    return at === -1 ? undefined : group.splice(at, 1)[0]
  }

  takeAll(sent: JsonRecord, fits: Fits): JsonRecord[] {
    const matches: JsonRecord[] = []
    for (let one = this.take(sent, fits); one; one = this.take(sent, fits)) matches.push(one)
    return matches
  }
}

/** A record for each row that has one; those that name their time choose first, because they fit fewer. */
function match(records: readonly JsonRecord[], pool: Pool, {time, isAsSent}: Comparer): (JsonRecord | undefined)[] {
  const matched = new Array<JsonRecord | undefined>(records.length).fill(undefined)
  const isTimed = (index: number) => typeof records[index]?.[time] === 'string'
  const indexes = [...records.keys()]
  const inOrder = [...indexes.filter(isTimed), ...indexes.filter((index) => !isTimed(index))]
  for (const index of inOrder) matched[index] = pool.take(records[index] ?? {}, isAsSent)
  return matched
}

function toFinding(index: number, sent: JsonRecord, pool: Pool, {couldBe, differ}: Comparer): RowFinding {
  const found = pool.take(sent, couldBe)
  return found ? {index, id: found['id'] ?? null, fields: differ(sent, found)} : {index}
}

type Comparer = {
  /** The field of the time that is sent. */
  time: string
  /** As it was sent; a record that was sent open may have reached its end state since. */
  isAsSent: Fits
  /** Alike in all that nobody can change later. */
  couldBe: Fits
  /** Fields that anybody may have changed since. */
  differ: (sent: JsonRecord, found: JsonRecord) => FieldFinding[]
}

function toLikeness({write}: SentSet, {time, fixed, editable}: Likeness): Comparer {
  const fields = fieldsOf(write.resource, 'create')
  const couldBe: Fits = (sent, found) =>
    isSameTime(sent[time.sent], found[time.kept]) &&
    fixed.every((name) => isSameFact(sent[name], found[name], Object.keys(fields[name]?.fields ?? {})))
  const {endState} = write
  const differ: Comparer['differ'] = (sent, found) => {
    const ended = endState && isSentEnded(sent, endState) ? {[endState.flag]: true} : {}
    const expected = {...Object.fromEntries(editable.map((name) => [name, sent[name] ?? null])), ...ended}
    return Object.entries(expected)
      .map(([field, value]): FieldFinding => ({field, expected: value, found: found[field] ?? null}))
      .filter((finding) => finding.expected !== finding.found)
  }
  return {
    time: time.sent,
    couldBe,
    differ,
    isAsSent: (sent, found) => couldBe(sent, found) && differ(sent, found).length === 0,
  }
}

/** Whether a record was sent in its end state. */
function isSentEnded(sent: JsonRecord, endState: EndState | null): boolean {
  return endState !== null && (sent[endState.flag] === true || typeof sent[endState.time] === 'string')
}

/** A time that is sent is UTC, and kept as such. [seed] */
function isSameTime(sent: JsonValue | undefined, kept: JsonValue | undefined): boolean {
  if (typeof sent !== 'string' || typeof kept !== 'string') return true
  const [one, other] = [toMilliseconds(sent), toMilliseconds(kept)]
  return one === undefined || other === undefined || Math.abs(one - other) <= roundingMilliseconds
}

/** An object is compared by the fields that the contract knows; one that was not sent may be anything. */
function isSameFact(sent: JsonValue = null, kept: JsonValue = null, names: readonly string[] = []): boolean {
  if (!isRecord(sent)) return true
  const print = (fact: JsonRecord) => printJson(names.map((name) => fact[name] ?? null))
  return isRecord(kept) && print(sent) === print(kept)
}

/**
 * Whether the service refuses a second copy of a record, because it keeps only one such record in force. Never, where
 * the write has no such records or they cannot be read.
 */
export async function readOnlyOne(client: Reader, operation: WriteId): Promise<(record: JsonRecord) => boolean> {
  const {repeatable, endState} = writeOperation(operation)
  if (repeatable.when !== 'asked') return () => false
  const {read, field, flag} = repeatable.unless
  const listed = new Set<string>()
  try {
    for await (const page of client.readPages(read, {filters: {}})) {
      for (const {[flag]: isOnly, [field]: value} of page.records)
        if (isOnly === true) listed.add(valueText(value ?? ''))
    }
  } catch (error) {
    if (error instanceof CliFailure) return () => false
    throw error
  }

  return (record) => !isSentEnded(record, endState) && listed.has(valueText(record[field] ?? ''))
}
