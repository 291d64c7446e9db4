import {allFieldsOf, type Write} from '../../contract/index.js'
import {counted} from '../../values/counted.js'
import {isDeletion} from '../../values/deletion.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {changedBy, type Meant, toComparable, toEffect} from '../plan/compare-rows.js'
import {diffRecords, type FieldChange} from '../rows/diff.js'
import {type FieldFinding, type Judgement, type RowFinding, type SentSet, someoneElse} from './judgement.js'

/**
 * `done`: as it was sent. `before`: as it was before. `either`: both, because the row changes nothing. `unknown`: not as
 * it was sent, and how it was before is not known. `other`: neither.
 */
type State = 'done' | 'before' | 'either' | 'unknown' | 'other' | 'missing'

type Row = RowFinding & {state: State}

/** Compares the records of an update, by the digits of their ids, with what was sent and with how they were before. */
export function judgeFields({write, records, given, before}: SentSet, now: ReadonlyMap<string, JsonRecord>): Judgement {
  const rows = records.map((record, index) => {
    const id = idText(record[write.target])
    const meant = changedBy(write, record, given[index])
    const known = {now: now.get(id), before: before.get(id)}
    const isGone = isDeletion(write, record) && !known.now && known.before
    return {index, id: record[write.target], ...(isGone ? {state: 'done' as const} : compare(write, meant, known))}
  })
  const of = (...states: State[]) => rows.filter(({state}) => states.includes(state))
  const odd = of('other', 'missing')
  const read = `${counted(rows.length, 'record')} read`
  if (odd.length > 0) return unclear(odd, describeOdd(odd))
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

function unclear(rows: Row[], evidence: string): Judgement {
  return {kind: 'unclear', rows: rows.map(({state: _, ...row}) => row), evidence}
}

function describeOdd(odd: Row[]): string {
  const missing = odd.filter(({state}) => state === 'missing').length
  const changed = odd.length - missing
  return [
    changed > 0 ? `${counted(changed, 'record')} neither as sent nor as before: changed by someone else` : '',
    missing > 0 ? `${counted(missing, 'record')} not found` : '',
  ]
    .filter(Boolean)
    .join('; ')
}

function torn(rows: Row[]): string {
  const done = rows.filter(({state}) => state === 'done').length
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
