import {allFieldsOf, type Probe} from '../../contract/index.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {similarKey} from '../records/similar-records.js'
import {diffRecords} from '../rows/diff.js'
import {idOf} from '../rows/row-content.js'
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

type InForce = Extract<Probe, {kind: 'current'}>

/** `done`: a new record holds what was sent. `before`: the one of before is still in force. `other`: someone else's is. */
type Row = RowFinding & {state: 'done' | 'before' | 'other'}

/**
 * Looks at the records in force under the keys of a set. Each change makes a new record: one with the id of before was not
 * changed, whatever it holds.
 */
export function judgeCurrent(sent: SentSet, now: ReadonlyMap<string, JsonRecord>, probe: InForce): Judgement {
  const {write, records} = sent
  const rows = records.map((record, index) => ({index, ...compare(sent, record, now, probe)}))
  const of = (state: Row['state']) => rows.filter((row) => row.state === state)
  const [done, before, other] = [of('done'), of('before'), of('other')]
  const all = countRecords(rows.length, write)
  const known = `of ${all}: ${done.length} in force as sent, ${before.length} as before`
  if (done.length === rows.length) {
    return {kind: 'applied', ids: done.map(({id}) => id), evidence: `${all} in force, new and as sent`}
  }
  if (before.length === rows.length) return {kind: 'none', final: false, evidence: known}
  const odd = other.length > 0 ? other : before
  const evidence = other.length > 0 ? `${known}, ${other.length} set by someone else` : `${known}; ${someoneElse}`
  return {kind: 'unclear', rows: odd.map(({state: _, ...row}) => row), evidence}
}

function compare(
  {write, before}: SentSet,
  record: JsonRecord,
  current: ReadonlyMap<string, JsonRecord>,
  {fields}: InForce,
): {state: Row['state']; id: JsonValue; fields?: FieldFinding[]} {
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
type CreatedRow = RowFinding & {state: 'done' | 'theirs' | 'other' | 'none'}

/**
 * Looks for created records by their identity, which no two records share. A record that was there before the run is
 * not of this run, and keeps the set from ever being applied.
 */
export function judgeIdentity(sent: SentSet, found: readonly JsonRecord[]): Judgement {
  const {records, write} = sent
  const toKey = similarKey(write)
  const byKey = new Map(found.map((record) => [toKey(record), record]))
  const rows = records.map(
    (record, index): CreatedRow => ({index, ...compareCreated(record, byKey.get(toKey(record)), sent)}),
  )
  const of = (state: CreatedRow['state']) => rows.filter((row) => row.state === state)
  const [done, theirs, none] = [of('done'), of('theirs'), of('none')]
  if (done.length === rows.length) {
    return foundAsSent(
      sent,
      done.map(({id = null}) => id),
    )
  }
  if (none.length === rows.length) return noneFound(sent)
  if (theirs.length + none.length === rows.length) {
    const {nouns} = write.words
    const evidence = `${theirs.length} of ${countRecords(rows.length, write)} have the name of ${nouns} that were there before`
    return {kind: 'none', final: true, evidence}
  }
  const odd = rows.filter(({state}) => state !== 'done')
  return {kind: 'unclear', rows: odd.map(({state: _, ...row}) => row), evidence: describeCreated(rows, sent)}
}

function compareCreated(
  sent: JsonRecord,
  now: JsonRecord | undefined,
  {known, write}: SentSet,
): Omit<CreatedRow, 'index'> {
  if (!now) return {state: 'none'}
  const id: JsonValue = now['id'] ?? null
  if (known.has(idText(id))) return {state: 'theirs', id}
  const changes = diffRecords(now, sent, write.resource, false).filter(({field}) => !write.live.includes(field))
  const fields = changes.map(({field, from, to}): FieldFinding => ({field, expected: to, found: from}))
  return changes.length === 0 ? {state: 'done', id} : {state: 'other', id, fields}
}

function describeCreated(rows: readonly CreatedRow[], {write}: SentSet): string {
  const of = (state: CreatedRow['state']) => rows.filter((row) => row.state === state).length
  const parts = [
    of('done') > 0 ? `${of('done')} as sent` : '',
    of('other') > 0 ? `${of('other')} of the same name but not as sent` : '',
    of('theirs') > 0 ? `${of('theirs')} that were there before` : '',
    of('none') > 0 ? `${of('none')} not found` : '',
  ]
  return `of ${countRecords(rows.length, write)}: ${parts.filter(Boolean).join(', ')}; ${someoneElse}`
}
