import {allFieldsOf, templateFieldOf, type Write} from '../../contract/index.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText, isDeletion} from '../../values/record-key.js'
import {compareTemplate, probeOf, type Selections} from '../machines/read-selections.js'
import {changedBy, type Meant, toComparable, toEffect} from '../plan/compare-rows.js'
import {diffRecords, type FieldChange} from '../rows/merge-fields.js'
import {
  byState,
  countRecords,
  type FieldFinding,
  type Judged,
  type Judgement,
  listCounts,
  type SentSet,
  someoneElse,
  unclear,
} from './judgement.js'

/**
 * `done`: as it was sent. `before`: as it was before. `either`: both, because the row changes nothing. `unknown`: not as
 * it was sent, and how it was before is not known. `other`: neither.
 */
type State = 'done' | 'before' | 'either' | 'unknown' | 'other' | 'missing'

type Row = Judged<State>

/** Compares the records of an update, by the digits of their ids, with what was sent and with how they were before. */
export function judgeFields({write, records, given, before}: SentSet, now: ReadonlyMap<string, JsonRecord>): Judgement {
  const rows = records.map((record, index): Row => {
    const id = idText(record[write.target])
    const meant = changedBy(write, record, given[index])
    const known = {now: now.get(id), before: before.get(id)}
    const isGone = isDeletion(write, record) && !known.now && known.before
    return {index, id: record[write.target], ...(isGone ? {state: 'done' as const} : compare(write, meant, known))}
  })
  const of = byState(rows)
  const differing = of('other', 'missing')
  const read = `${counted(rows.length, 'record')} read`
  if (differing.length > 0) return unclear(differing, describeDiffering(differing))
  if (of('done').length > 0 && of('before', 'unknown').length > 0) return unclear(of('before', 'unknown'), torn(rows))
  if (of('before').length > 0) {
    const evidence = `${read}: ${rows.length === 1 ? 'it is as it was' : 'they are as they were'} before`
    return {kind: 'none', final: false, evidence}
  }
  if (of('unknown').length > 0) {
    return unclear(of('unknown'), 'they are not as they were sent, and how they were before is not known')
  }
  return {
    kind: 'applied',
    ids: [],
    evidence: `${read}: ${rows.length === 1 ? 'it is as it was' : 'all are as they were'} sent`,
  }
}

function describeDiffering(rows: Row[]): string {
  const missing = byState(rows)('missing').length
  const changed = rows.length - missing
  return [
    changed > 0 ? `${counted(changed, 'record')} neither as sent nor as before: changed by someone else` : '',
    missing > 0 ? `${counted(missing, 'record')} not found` : '',
  ]
    .filter(Boolean)
    .join('; ')
}

function torn(rows: Row[]): string {
  const done = byState(rows)('done').length
  return `${done} of ${rows.length} records are as they were sent and others are not, but ${someoneElse}`
}

function compare(
  write: Write,
  sent: Meant,
  {now, before}: {now: JsonRecord | undefined; before: JsonRecord | undefined},
): Pick<Row, 'state' | 'fields'> {
  if (!now) return {state: 'missing'}
  const left = differ(write, sent, now)
  const meant = before && differ(write, sent, before)
  if (left.length === 0) return {state: meant?.length === 0 ? 'either' : 'done'}
  const fields = left.map((change) => toFinding(change, meant))
  if (!meant) return {state: 'unknown', fields}
  const isAsBefore = left.length === meant.length && fields.every(({found, before: then = null}) => same(found, then))
  return {state: isAsBefore ? 'before' : 'other', fields}
}

/** Fields that the contract does not know are left out: what the service does with them is not known. */
function differ(write: Write, {record: sent, replaces}: Meant, record: JsonRecord): FieldChange[] {
  const {resource} = write
  const changes = diffRecords(toComparable(record, write), toEffect(sent, write), resource, replaces)
  const known = allFieldsOf(resource)
  return changes.filter(({field}) => Object.hasOwn(known, field.split('.')[0] ?? ''))
}

function toFinding({field, from, to}: FieldChange, meant: FieldChange[] | undefined): FieldFinding {
  const change = meant?.find((other) => other.field === field)
  return {field, expected: to, ...(meant && {before: change ? change.from : to}), found: from}
}

function same(one: JsonValue, other: JsonValue): boolean {
  return printJson(one) === printJson(other)
}

/** Records by the digits of their ids: in a list with deleted ones, and in one without. */
export type Listed = {all: ReadonlyMap<string, JsonRecord>; plain: ReadonlyMap<string, JsonRecord>}

/** Whether the flag of a deleted record says so; one that was false before says nothing. */
export function saysDeleted({write: {probe}, before}: SentSet, key: string, {all}: Pick<Listed, 'all'>): boolean {
  const flag = probe.kind === 'gone' ? probe.flag : ''
  return all.get(key)?.[flag] === false && before.get(key)?.[flag] !== false
}

/**
 * Looks at records that were to be deleted. One that was there before and that no list shows is gone, and so is one that
 * only a list with deleted ones shows. One that was never seen is left to the service, which refuses what does not exist.
 */
export function judgeGone(sent: SentSet, listed: Listed): Judgement {
  const {write, records, before} = sent
  const {all, plain} = listed
  const keys = records.map((record) => idText(record[write.target]))
  const isListed = (key: string) =>
    all.has(key) ? plain.has(key) && !saysDeleted(sent, key, listed) : !before.has(key)
  const listedKeys = keys.filter(isListed).length
  const found = `${keys.length - listedKeys} of ${countRecords(keys.length, write)} deleted`
  const isPart = listedKeys > 0 && listedKeys < keys.length
  return judgeOpen(keys, {isOpen: isListed, isSeen: (key) => all.has(key)}, isPart ? `${found}; ${someoneElse}` : found)
}

type About = {isOpen(key: string): boolean; isSeen(key: string): boolean}

/** Records of which those are left that are open: none, or some by their places in the set. */
function judgeOpen(keys: readonly string[], {isOpen, isSeen}: About, evidence: string): Judgement {
  const open = keys.flatMap((key, index) => (isOpen(key) ? [index] : []))
  if (open.length === 0) return {kind: 'applied', ids: [], evidence}
  return {kind: 'open', open, seen: open.every((index) => isSeen(keys[index] ?? '')), evidence}
}

/**
 * Looks at records that were to reach their end state, by the digits of their ids. One that was there before and is gone
 * needs it no more; one that was never seen is left to the service, which refuses what does not exist.
 */
export function judgeEndState({write, records, before}: SentSet, now: ReadonlyMap<string, JsonRecord>): Judgement {
  const {flag = '', done = ''} = write.endState ?? {}
  const keys = records.map(({id}) => idText(id))
  const isGone = (key: string) => !now.has(key) && before.has(key)
  const isDone = (key: string) => now.get(key)?.[flag] === true
  const gone = keys.filter(isGone).length
  const already = keys.filter((key) => isDone(key) && before.get(key)?.[flag] === true).length
  const counts = [
    [already, 'of them before this run'],
    [gone, 'no longer there'],
  ] as const
  const ended = `${keys.filter(isDone).length} of ${countRecords(keys.length, write)} ${done}`
  const evidence = [ended, listCounts(counts)].filter(Boolean).join(', ')
  return judgeOpen(keys, {isOpen: (key) => !isDone(key) && !isGone(key), isSeen: (key) => now.has(key)}, evidence)
}

/** Selections by the machine and by the template that they belong to. */
export type Assigned = Record<'machines' | 'templates', ReadonlyMap<string, Selections>>

/**
 * Compares machines with the template that was sent for them, in every field that it holds. What is not there may be sent
 * again: the same template changes nothing a second time.
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
