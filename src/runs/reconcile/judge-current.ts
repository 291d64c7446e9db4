import {allFieldsOf, type Probe} from '../../contract/index.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {diffRecords} from '../plan/diff.js'
import {idOf} from '../plan/row-content.js'
import {
  countRecords,
  type FieldFinding,
  type Judgement,
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
