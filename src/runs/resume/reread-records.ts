import {toWriteBody} from '../../client/request.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {PickedList} from '../../values/list.js'
import type {Journal} from '../journal/journal.js'
import {type RowList, rowsOfSet} from '../plan/cut-sets.js'
import {mergePlan} from '../plan/merge-plan.js'
import {mapRows} from '../plan/packed-rows.js'
import {readPreimages} from '../plan/preimages.js'
import type {Reader} from '../plan/read-at-most.js'
import {toSent} from '../send/to-sent.js'
import type {LoadedPart, LoadedRun} from './left-sets.js'

export type RereadOptions = {
  client: Reader
  /** Milliseconds since 1970. */
  now: number
}

/** The rows of the run, merged with the records as they are now. */
export type Reread = {notices: string[]; rows: RowList; readAt?: number}

/**
 * Reads the records that the remaining sets will change once more, because they may have changed since. A row that
 * gives only some fields of its record is merged with the record as it is now. Throws a `CliFailure` when the
 * records cannot be read; nothing was sent then.
 */
export async function rereadRecords(
  journal: Journal,
  {facts, plan}: LoadedRun,
  left: readonly LoadedPart[],
  options: RereadOptions,
): Promise<Reread> {
  const places = left.flatMap(({set}) => set.places)
  const asked = new PickedList(plan.rows, places)
  if (!facts.merges) {
    const {records} = await readPreimages(options.client, plan.operation, asked, options)
    journal.transaction(() => journal.keepPreimages(print(records)))
    return {notices: [], rows: plan.rows}
  }

  const given = mapRows(asked, ({given, record, ...row}) => ({...row, record: given ?? record}))
  const merged = await mergePlan({...plan, rows: given, doubts: [], found: null}, {...options, sendUnchanged: true})
  const again = new Map(places.map((place, index) => [place, index]))
  const missing = new Set(merged.comparison.missing.map(({line}) => line))
  const rows = mapRows(plan.rows, (row, place) => {
    const index = again.get(place)
    const next = index === undefined ? undefined : merged.rows.at(index)
    return next && !missing.has(next.line) ? next : row // one that is gone is sent as it was, and refused
  })

  journal.transaction(() => {
    journal.keepPreimages(print(merged.before))
    for (const {part, set} of left) {
      const records = rowsOfSet(rows, set).map(({record}) => record)
      const body = toWriteBody(toSent(plan.operation, records))
      if (body === journal.bodyOf(part.seq)) continue
      journal.note(part.seq, part.state, part.state, 'merged with the records as they are now')
      journal.replaceBody(part.seq, body)
    }
  })
  return {notices: merged.notices, rows, readAt: merged.readAt}
}

function* print(preimages: ReadonlyMap<string, JsonRecord>): Generator<[string, string], void, void> {
  for (const [key, record] of preimages) yield [key, printJson(record)]
}
