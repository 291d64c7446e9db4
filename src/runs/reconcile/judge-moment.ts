import {toMilliseconds} from '../../values/date-time.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {countRecords, type Judgement, type RowFinding, type SentSet} from './judgement.js'
import type {SentSpan} from './service-clock.js'

/** `elsewhere`: done, but not as it was sent. `unclear`: about when it was sent. */
type State = 'done' | 'before' | 'missing' | 'elsewhere' | 'unclear'

type Row = RowFinding & {state: State}

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
  const rows = records.map((record, index): Row => {
    const key = record[write.target] ?? null
    const now = found.get(foldKey(key))
    return {index, id: key, state: now ? compare(record, now, field, sent) : 'missing'}
  })
  const of = (state: State) => rows.filter((row) => row.state === state).length
  const count = countRecords(rows.length, write)
  if (of('done') === rows.length) {
    return {kind: 'applied', ids: [], evidence: `${count}: ${field} is later than the request`}
  }
  if (of('before') === rows.length) {
    return {kind: 'none', final: false, evidence: `${count}: ${field} is earlier than the request, or empty`}
  }
  const odd = rows.filter(({state}) => state !== 'done')
  return {kind: 'unclear', rows: odd.map(({state: _, ...row}) => row), evidence: describe(of, {count, field, sent})}
}

function compare(record: JsonRecord, now: JsonRecord, field: string, sent: SentSpan | undefined): State {
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

function describe(
  of: (state: State) => number,
  {count, field, sent}: Omit<Moments, 'records'> & {count: string},
): string {
  const parts = [
    of('missing') > 0 ? `${of('missing')} that this login cannot read` : '',
    of('elsewhere') > 0 ? `${of('elsewhere')} with a later ${field}, but not as it was sent: done by someone else` : '',
    of('unclear') > 0 && sent ? `${of('unclear')} whose ${field} is too close to the request, or no time` : '',
    of('unclear') > 0 && !sent ? 'when the request was sent is not known by the clock of the service' : '',
    of('before') > 0 ? `${of('before')} not done` : '',
    of('done') > 0 ? `${of('done')} done` : '',
  ]
  return `of ${count}: ${parts.filter(Boolean).join(', ')}`
}
