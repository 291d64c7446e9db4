import {allFieldsOf, type Probe} from '../../contract/index.js'
import type {BootMoment} from '../../core/clock.js'
import {toMilliseconds} from '../../values/date-time.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {similarKey} from '../records/similar-records.js'
import {diffRecords} from '../rows/merge-fields.js'
import {idOf} from '../rows/row-content.js'
import {
  byState,
  countRecords,
  type FieldFinding,
  foundAsSent,
  type Judged,
  type Judgement,
  listCounts,
  noneFound,
  type RowFinding,
  type SentSet,
  someoneElse,
  unclear,
} from './judgement.js'
import type {SetInDoubt} from './set-in-doubt.js'

type InForce = Extract<Probe, {kind: 'current'}>

/** `done`: a new record holds what was sent. `before`: the one of before is still in force. `other`: someone else's is. */
type Changed = Judged<'done' | 'before' | 'other'>

/**
 * Looks at the records in force under the keys of a set. Each change makes a new record: one with the id of before was not
 * changed, whatever it holds.
 */
export function judgeCurrent(sent: SentSet, now: ReadonlyMap<string, JsonRecord>, probe: InForce): Judgement {
  const {write, records} = sent
  const rows = records.map((record, index): Changed => ({index, ...compareInForce(sent, record, now, probe)}))
  const of = byState(rows)
  const [done, before, other] = [of('done'), of('before'), of('other')]
  const all = countRecords(rows.length, write)
  const known = `of ${all}: ${done.length} in force as sent, ${before.length} as before`
  if (done.length === rows.length) {
    return {kind: 'applied', ids: idsOf(done), evidence: `${all} in force, new and as sent`}
  }
  if (before.length === rows.length) return {kind: 'none', final: false, evidence: known}
  if (other.length === 0) return unclear(before, `${known}; ${someoneElse}`)
  return unclear(other, `${known}, ${other.length} set by someone else`)
}

function idsOf(rows: readonly RowFinding[]): JsonValue[] {
  return rows.map(({id = null}) => id)
}

function compareInForce(
  {write, before}: SentSet,
  record: JsonRecord,
  current: ReadonlyMap<string, JsonRecord>,
  {fields}: InForce,
): Omit<Changed, 'index'> {
  const key = idText(idOf({record}, write))
  const [then, now] = [before.get(key), current.get(key)]
  const id = now?.[write.target] ?? null
  if (idText(id) === idText(then?.[write.target])) return {state: 'before', id}
  const meant = Object.fromEntries(fields.map((name) => [name, record[name] ?? null]))
  const changes = diffRecords(now ?? {}, meant, write.resource, false)
  const found = changes
    .filter(({field}) => Object.hasOwn(allFieldsOf(write.resource), field))
    .map(
      ({field, from, to}): FieldFinding => ({
        field,
        expected: to,
        ...(then && {before: then[field] ?? null}),
        found: from,
      }),
    )
  return found.length === 0 ? {state: 'done', id} : {state: 'other', id, fields: found}
}

/** `theirs`: a record of that identity was there before. `other`: one is new, and not as it was sent. */
type Created = Judged<'done' | 'theirs' | 'other' | 'none'>

/**
 * Looks for created records by their identity, which no two records share. A record that was there before the run is
 * not of this run, and keeps the set from ever being applied.
 */
export function judgeIdentity(sent: SentSet, found: readonly JsonRecord[]): Judgement {
  const {records, write} = sent
  const toKey = similarKey(write)
  const byKey = new Map(found.map((record) => [toKey(record), record]))
  const rows = records.map(
    (record, index): Created => ({index, ...compareCreated(record, byKey.get(toKey(record)), sent)}),
  )
  const of = byState(rows)
  const [done, theirs, none] = [of('done'), of('theirs'), of('none')]
  if (done.length === rows.length) return foundAsSent(sent, idsOf(done))
  if (none.length === rows.length) return noneFound(sent)
  if (theirs.length + none.length === rows.length) {
    const {nouns} = write.words
    const evidence = `${theirs.length} of ${countRecords(rows.length, write)} have the name of ${nouns} that were there before`
    return {kind: 'none', final: true, evidence}
  }
  return unclear(of('theirs', 'other', 'none'), describeCreated(rows, sent))
}

function compareCreated(
  sent: JsonRecord,
  now: JsonRecord | undefined,
  {known, write}: SentSet,
): Omit<Created, 'index'> {
  if (!now) return {state: 'none'}
  const id: JsonValue = now['id'] ?? null
  if (known.has(idText(id))) return {state: 'theirs', id}
  const changes = diffRecords(now, sent, write.resource, false).filter(({field}) => !write.live.includes(field))
  const fields = changes.map(({field, from, to}): FieldFinding => ({field, expected: to, found: from}))
  return changes.length === 0 ? {state: 'done', id} : {state: 'other', id, fields}
}

function describeCreated(rows: readonly Created[], {write}: SentSet): string {
  const count = (state: Created['state']) => byState(rows)(state).length
  const counts = listCounts([
    [count('done'), 'as sent'],
    [count('other'), 'of the same name but not as sent'],
    [count('theirs'), 'that were there before'],
    [count('none'), 'not found'],
  ])
  return `of ${countRecords(rows.length, write)}: ${counts}; ${someoneElse}`
}

/** `elsewhere`: done, but not as it was sent. `unclear`: about when it was sent. */
type Timed = Judged<'done' | 'before' | 'missing' | 'elsewhere' | 'unclear'>

export type Moments = {
  /** By what names them, folded. */
  records: Map<string, JsonRecord>
  /** The field that says when a record was last done. */
  field: string
  /** The sending by the clock of the service; undefined where that is not known. */
  sent: SentSpan | undefined
}

/**
 * Looks at records that say when they were last done. One that cannot be read proves nothing: it may be there later. What
 * was done is there for all of a set.
 */
export function judgeMoment({records, write}: SentSet, {records: found, field, sent}: Moments): Judgement {
  const rows = records.map((record, index): Timed => {
    const key = record[write.target] ?? null
    const now = found.get(foldKey(key))
    return {index, id: key, state: now ? compareTime(record, now, field, sent) : 'missing'}
  })
  const of = byState(rows)
  const total = (state: Timed['state']) => of(state).length
  const count = countRecords(rows.length, write)
  if (total('done') === rows.length) {
    return {kind: 'applied', ids: [], evidence: `${count}: ${field} is later than the request`}
  }
  if (total('before') === rows.length) {
    return {kind: 'none', final: false, evidence: `${count}: ${field} is earlier than the request, or empty`}
  }
  return unclear(of('before', 'missing', 'elsewhere', 'unclear'), describeTimed(total, {count, field, sent}))
}

function compareTime(record: JsonRecord, now: JsonRecord, field: string, sent: SentSpan | undefined): Timed['state'] {
  const at = now[field] ?? null
  if (at === null || at === '') return 'before'
  const moment = typeof at === 'string' ? toMilliseconds(at) : undefined
  if (moment === undefined || !sent) return 'unclear'
  if (moment < sent.from) return 'before'
  if (moment < sent.to) return 'unclear'
  const isAsSent = Object.entries(record).every(([name, value]) => !(name in now) || isSame(value, now[name] ?? null))
  return isAsSent ? 'done' : 'elsewhere'
}

/** Texts are compared without case, as the service finds them. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  return foldKey(one) === foldKey(other)
}

export function foldKey(value: JsonValue): string {
  return idText(value).trim().toLowerCase()
}

function describeTimed(
  total: (state: Timed['state']) => number,
  {count, field, sent}: Omit<Moments, 'records'> & {count: string},
): string {
  const parts = [
    total('missing') > 0 ? `${total('missing')} that this login cannot read` : '',
    total('elsewhere') > 0
      ? `${total('elsewhere')} with a later ${field}, but not as it was sent: done by someone else`
      : '',
    total('unclear') > 0 && sent ? `${total('unclear')} whose ${field} is too close to the request, or no time` : '',
    total('unclear') > 0 && !sent ? 'when the request was sent is not known by the clock of the service' : '',
    total('before') > 0 ? `${total('before')} not done` : '',
    total('done') > 0 ? `${total('done')} done` : '',
  ]
  return `of ${count}: ${parts.filter(Boolean).join(', ')}`
}

/** Between which moments a set left this machine, by the clock of the service, in milliseconds since 1970. */
export type SentSpan = {from: number; to: number}

/** Finds the span by what the service says its clock shows in an answer that has just come; undefined where it cannot be known. */
export type FindSent = (serverTime: number | undefined) => SentSpan | undefined

/** The date of an answer and the times of records may both be whole seconds. */
const roundingMilliseconds = 2_000

/** The last sending of a set, by the clock of the service. */
export function createFindSent({journal, entry, options}: Pick<SetInDoubt, 'journal' | 'entry' | 'options'>): FindSent {
  const {sent, seq} = entry.part
  const label = journal.events().findLast(({part, to}) => part === seq && to === 'sent')?.at
  return (serverTime) => {
    if (serverTime === undefined) return undefined
    return toSentSpan({sent, label}, {moment: options.moment(), wall: options.clock.now()}, serverTime)
  }
}

type Recorded = {sent: BootMoment | undefined; label: number | undefined}

/**
 * One clock stands still while the machine sleeps, the other may be set: the span holds what both of them say. After a
 * restart only the one that may be set is left.
 */
export function toSentSpan(
  {sent, label}: Recorded,
  now: {moment: BootMoment; wall: number},
  serverTime: number,
): SentSpan | undefined {
  const isSameBoot = sent?.boot !== undefined && sent.boot === now.moment.boot
  const ages = [
    ...(isSameBoot ? [now.moment.milliseconds - sent.milliseconds] : []),
    ...(label === undefined ? [] : [now.wall - label]),
  ].filter((age) => age >= 0)
  if (ages.length === 0) return undefined
  const toMoment = (age: number) => serverTime - age - roundingMilliseconds
  return {from: toMoment(Math.max(...ages)), to: toMoment(Math.min(...ages))}
}
