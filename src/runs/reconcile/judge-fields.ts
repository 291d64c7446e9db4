import {allFieldsOf, type Probe, templateFieldOf, type Write} from '../../contract/index.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText, isDeletion} from '../../values/record-key.js'
import {compareTemplate, probeOf, type Selections} from '../machines/read-selections.js'
import {changedBy, type Meant, toComparable, toEffect} from '../plan/compare-rows.js'
import {similarKey} from '../records/similar-records.js'
import {diffRecords, type FieldChange} from '../rows/merge-fields.js'
import {idOf} from '../rows/row-content.js'
import {
  countRecords,
  type FieldFinding,
  type Judged,
  type Judgement,
  judgeRows,
  listCounts,
  type SentSet,
} from './judgement.js'

type Records = ReadonlyMap<string, JsonRecord>
type Found = Omit<Judged, 'index'>

/** Compares the records of an update, by the digits of their ids, with what was sent and with how they were before. */
export function judgeFields(sent: SentSet, now: Records): Judgement {
  const {write, records, given, before} = sent
  const judged = judgeRows(
    sent,
    records.map((record, index) => {
      const id = record[write.target] ?? null
      const known = {now: now.get(idText(id)), before: before.get(idText(id))}
      const isGone = isDeletion(write, record) && !known.now && known.before !== undefined
      const found: Found = isGone ? {state: 'done'} : compare(write, changedBy(write, record, given[index]), known)
      return {index, id, ...found}
    }),
  )
  if (judged.kind !== 'none') return judged
  const overwrites = records.some((record, index) => isOverwritten(write, {record, given: given[index]}, now))
  return overwrites ? {...judged, overwrites} : judged
}

type SentRow = {record: JsonRecord; given: JsonRecord | undefined}

/** Whether a record has another value by now in a field that its row does not give, and that is sent with it all the same. */
function isOverwritten(write: Write, {record, given = record}: SentRow, now: Records): boolean {
  const found = now.get(idText(record[write.target] ?? null))
  if (!found || write.probe.kind !== 'fields' || write.probe.compares === 'all') return false
  const isKept = ({field}: FieldChange) => !Object.hasOwn(given, field) && !write.live.includes(field)
  return differ(write, {record, replaces: true}, found).some(isKept)
}

function compare(
  write: Write,
  sent: Meant,
  {now, before}: {now: JsonRecord | undefined; before: JsonRecord | undefined},
): Found {
  if (!now) return {state: 'missing'}
  const left = differ(write, sent, now)
  const meant = before && differ(write, sent, before)
  if (left.length === 0) return {state: meant?.length === 0 ? 'either' : 'done'}
  const fields = left.map((change) => {
    const was = meant?.find(({field}) => field === change.field)
    return toFinding(change, meant && (was ? was.from : change.to))
  })
  if (!meant) return {state: 'unknown', fields}
  const isAsBefore =
    left.length === meant.length && fields.every(({found, before: then = null}) => printJson(found) === printJson(then))
  return {state: isAsBefore ? 'before' : 'other', fields}
}

/** Without fields that the contract does not know, and the id, by which the record was found however it is spelled. */
function differ(write: Write, {record: sent, replaces}: Meant, record: JsonRecord): FieldChange[] {
  const changes = diffRecords(toComparable(record, write), toEffect(sent, write), write.resource, replaces)
  return changes.filter(({field}) => field !== write.target && isKnown(field, write))
}

function isKnown(field: string, {resource}: Write): boolean {
  return Object.hasOwn(allFieldsOf(resource), field.split('.')[0] ?? '')
}

function toFinding({field, from, to}: FieldChange, before?: JsonValue): FieldFinding {
  return {field, expected: to, before, found: from}
}

/**
 * Looks at the records in force under the keys of a set. Each change makes a new record: one with the former id was not
 * changed, whatever its values are.
 */
export function judgeCurrent(sent: SentSet, now: Records, probe: Extract<Probe, {kind: 'current'}>): Judgement {
  const {write, records, before} = sent
  return judgeRows(
    sent,
    records.map((record, index) => {
      const key = idText(idOf({record}, write))
      const [then, current = {}] = [before.get(key), now.get(key)]
      const id = current[write.target] ?? null
      if (idText(id) === idText(then?.[write.target])) return {index, id, state: 'before'}
      const meant = Object.fromEntries(probe.fields.map((name) => [name, record[name] ?? null]))
      const changes = diffRecords(current, meant, write.resource, false).filter(({field}) => isKnown(field, write))
      const fields = changes.map((change) => toFinding(change, then && (then[change.field] ?? null)))
      return {index, id, ...(fields.length === 0 ? {state: 'done'} : {state: 'other', fields})}
    }),
    {done: 'in force, new and as sent', other: 'set by someone else'},
  )
}

/**
 * Looks for created records by their identity, which no two records share. A record that was there before the run is
 * not of this run, and keeps the set from ever being applied.
 */
export function judgeIdentity(sent: SentSet, found: readonly JsonRecord[]): Judgement {
  const {write, records, known} = sent
  const toKey = similarKey(write)
  const byKey = new Map(found.map((record) => [toKey(record), record]))
  return judgeRows(
    sent,
    records.map((record, index) => {
      const now = byKey.get(toKey(record))
      if (!now) return {index, state: 'absent'}
      const id = now['id'] ?? null
      if (known.has(idText(id))) return {index, id, state: 'theirs'}
      const changes = diffRecords(now, record, write.resource, false).filter(({field}) => !write.live.includes(field))
      const fields = changes.map((change) => toFinding(change))
      return {index, id, ...(fields.length === 0 ? {state: 'done'} : {state: 'other', fields})}
    }),
    {done: 'new and as sent', other: 'of the same name but not as sent'},
  )
}

/** Records by the digits of their ids: in a list with deleted ones, and in one without. */
export type Listed = {all: ReadonlyMap<string, JsonRecord>; plain: ReadonlyMap<string, JsonRecord>}

/** Whether the flag of a deleted record says so; one that was false before says nothing. */
export function saysDeleted({write: {probe}, before}: SentSet, key: string, {all}: Pick<Listed, 'all'>): boolean {
  const flag = probe.kind === 'gone' ? probe.flag : ''
  return all.get(key)?.[flag] === false && before.get(key)?.[flag] !== false
}

type Ended = {
  /** Records by the digits of their ids. */
  all: Records
  isDone(key: string): boolean
  /** Words for such records. */
  done: string
}

/**
 * Looks at records that were to reach their end. One that was there before and is gone needs it no more; one that was
 * never seen is left to the service, which refuses what does not exist.
 */
function judgeEnded({write, records, before}: SentSet, {all, isDone, done}: Ended): Judgement {
  const keys = records.map((record) => idText(record[write.target]))
  const left = [...keys.keys()].filter((index) => !isDone(keys[index] ?? ''))
  const open = left.filter((index) => all.has(keys[index] ?? '') || !before.has(keys[index] ?? ''))
  const ended = `${keys.length - left.length} of ${countRecords(keys.length, write)} ${done}`
  const evidence = [ended, listCounts([[left.length - open.length, 'no longer there']])].filter(Boolean).join(', ')
  if (open.length === 0) return {kind: 'applied', ids: [], evidence}
  return {kind: 'open', open, seen: open.every((index) => all.has(keys[index] ?? '')), evidence}
}

/**
 * Looks at records that were to be deleted. One that was there before and that no list shows is gone, and so is one that
 * only a list with deleted ones shows.
 */
export function judgeGone(sent: SentSet, {all, plain}: Listed): Judgement {
  const isDone = (key: string) =>
    all.has(key) ? !plain.has(key) || saysDeleted(sent, key, {all}) : sent.before.has(key)
  return judgeEnded(sent, {all, isDone, done: 'deleted'})
}

/** Looks at records that were to reach their end state, by the digits of their ids. */
export function judgeEndState(sent: SentSet, all: Records): Judgement {
  const {flag = '', done = ''} = sent.write.endState ?? {}
  return judgeEnded(sent, {all, isDone: (key) => all.get(key)?.[flag] === true, done})
}

/** Selections by the machine and by the template that they belong to. */
export type Assigned = Record<'machines' | 'templates', ReadonlyMap<string, Selections>>

/**
 * Compares machines with the template that was sent for them, in every field that it has. Missing selections may be
 * sent again: the same template changes nothing a second time.
 */
export function judgeTemplate({write, records}: SentSet, {machines, templates}: Assigned): Judgement {
  const field = templateFieldOf(write)
  const isDone = (record: SentSet['records'][number]) => {
    const template = templates.get(idText(record[field])) ?? new Map()
    const selections = machines.get(idText(record[write.target])) ?? new Map()
    return template.size > 0 && compareTemplate(template, selections, probeOf(write)).changes.length === 0
  }
  const done = records.filter(isDone).length
  const evidence = `${done} of ${countRecords(records.length, write)} as the template has it`
  return done === records.length ? {kind: 'applied', ids: [], evidence} : {kind: 'none', final: false, evidence}
}
