import type {FilterValues, Page} from '../../client/types.js'
import {allFieldsOf, type ReadId, readOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {columnsOf} from '../../formats/columns.js'
import {selectRecords} from '../../formats/sort/select.js'
import type {JsonRecord} from '../../values/json.js'
import {spellRecord} from '../rows/merge-fields.js'
import {type Reader, readAtMost} from './read-current.js'

export type ChosenRecords = {
  /** By the spelling of the contract, in the order of the service. */
  records: JsonRecord[]
  /** The clamp headers of the last page. */
  served: Page['served']
  /** Requests that it took. */
  requests: number
  /** When they were read, on the clock that never jumps. */
  readAt: number
}

/** Reads the records of a list that filters and conditions let through. */
export async function readChosen(
  client: Reader,
  list: ReadId,
  filters: FilterValues,
  where: readonly string[] = [],
): Promise<ChosenRecords> {
  const fields = allFieldsOf(readOperation(list).resource)
  const readAt = systemClock.monotonic()
  const {records, served, requests} = await readAtMost(client, list, filters, Number.POSITIVE_INFINITY)
  const spelled = records.map((record) => spellRecord(record, fields))
  return {records: selectRecords(spelled, columnsOf(fields), {where}).records, served, requests, readAt}
}
