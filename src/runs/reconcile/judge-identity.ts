import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {diffRecords} from '../plan/diff.js'
import {similarKey} from '../plan/similar-records.js'
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

/** `theirs`: a record of that identity was there before. `other`: one is new, and not as it was sent. */
type Row = RowFinding & {state: 'done' | 'theirs' | 'other' | 'none'}

/**
 * Looks for created records by their identity, which no two records share. A record that was there before the run is
 * not of this run, and keeps the set from ever being applied.
 */
export function judgeIdentity(sent: SentSet, found: readonly JsonRecord[]): Judgement {
  const {records, write} = sent
  const toKey = similarKey(write)
  const byKey = new Map(found.map((record) => [toKey(record), record]))
  const rows = records.map((record, index): Row => ({index, ...compare(record, byKey.get(toKey(record)), sent)}))
  const of = (state: Row['state']) => rows.filter((row) => row.state === state)
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
  return {kind: 'unclear', rows: odd.map(({state: _, ...row}) => row), evidence: describe(rows, sent)}
}

function compare(sent: JsonRecord, now: JsonRecord | undefined, {known, write}: SentSet): Omit<Row, 'index'> {
  if (!now) return {state: 'none'}
  const id: JsonValue = now['id'] ?? null
  if (known.has(idText(id))) return {state: 'theirs', id}
  const changes = diffRecords(now, sent, write.resource, false).filter(({field}) => !write.live.includes(field))
  const fields = changes.map(({field, from, to}): FieldFinding => ({field, expected: to, found: from}))
  return changes.length === 0 ? {state: 'done', id} : {state: 'other', id, fields}
}

function describe(rows: readonly Row[], {write}: SentSet): string {
  const of = (state: Row['state']) => rows.filter((row) => row.state === state).length
  const parts = [
    of('done') > 0 ? `${of('done')} as sent` : '',
    of('other') > 0 ? `${of('other')} of the same name but not as sent` : '',
    of('theirs') > 0 ? `${of('theirs')} that were there before` : '',
    of('none') > 0 ? `${of('none')} not found` : '',
  ]
  return `of ${countRecords(rows.length, write)}: ${parts.filter(Boolean).join(', ')}; ${someoneElse}`
}
