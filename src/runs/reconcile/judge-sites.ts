import {counted} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {diffRecords} from '../plan/diff.js'
import {siteKey} from '../plan/matching-sites.js'
import {keyOf} from '../plan/read-current.js'
import {type FieldFinding, foundAsSent, type Judgement, type RowFinding, type Sent} from './judgement.js'

/** `theirs`: a site of that name was there before. `other`: one is new, and not as it was sent. */
type Row = RowFinding & {state: 'done' | 'theirs' | 'other' | 'none'}

/**
 * Looks for created sites among those of the same account and name, which no two sites share. What was there before
 * the run is not of this run, and keeps the set from ever being applied.
 */
export function judgeSites({records, known}: Sent, found: readonly JsonRecord[]): Judgement {
  const byKey = new Map(found.map((site) => [siteKey(site), site]))
  const rows = records.map((record, index): Row => ({index, ...look(record, byKey.get(siteKey(record)), known)}))
  const of = (state: Row['state']) => rows.filter((row) => row.state === state)
  const [done, theirs, none] = [of('done'), of('theirs'), of('none')]
  if (done.length === rows.length) {
    const evidence = foundAsSent(rows.length, 'site')
    return {kind: 'applied', ids: done.map(({id = null}) => id), evidence}
  }
  if (none.length === rows.length) {
    return {kind: 'none', final: false, evidence: `none of ${counted(rows.length, 'site')} found`}
  }
  if (theirs.length + none.length === rows.length) {
    const evidence = `${theirs.length} of ${counted(rows.length, 'name')} taken by sites that were there before`
    return {kind: 'none', final: true, evidence}
  }
  const odd = rows.filter(({state}) => state !== 'done')
  return {kind: 'unclear', rows: odd.map(({state: _, ...row}) => row), evidence: describe(rows)}
}

function look(sent: JsonRecord, site: JsonRecord | undefined, known: ReadonlySet<string>): Omit<Row, 'index'> {
  if (!site) return {state: 'none'}
  const id: JsonValue = site['id'] ?? null
  if (known.has(keyOf(id))) return {state: 'theirs', id}
  const changes = diffRecords(site, sent, 'site', false)
  const fields = changes.map(({field, from, to}): FieldFinding => ({field, expected: to, found: from}))
  return changes.length === 0 ? {state: 'done', id} : {state: 'other', id, fields}
}

function describe(rows: readonly Row[]): string {
  const of = (state: Row['state']) => rows.filter((row) => row.state === state).length
  const parts = [
    of('done') > 0 ? `${of('done')} as sent` : '',
    of('other') > 0 ? `${of('other')} of the same name but not as sent` : '',
    of('theirs') > 0 ? `${of('theirs')} that were there before` : '',
    of('none') > 0 ? `${of('none')} not found` : '',
  ]
  const end = 'a set is applied whole or not at all, so someone else had a hand in it'
  return `of ${counted(rows.length, 'site')}: ${parts.filter(Boolean).join(', ')}; ${end}`
}
