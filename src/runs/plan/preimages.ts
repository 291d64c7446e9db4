import {type WriteId, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {JsonRecord} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {idOf, writtenKey} from '../check/row-content.js'
import {describeUnread} from './check-plan.js'
import type {RowList} from './cut-sets.js'
import {filterRows} from './packed-rows.js'
import {countToSend, type Plan} from './plan.js'
import type {Reader, SomeRecords} from './read-at-most.js'
import {type CurrentOptions, readCurrent, requestsToRead} from './read-current.js'
import {readSimilar} from './similar-records.js'

/** Records as they are before a write. */
export type Preimages = {
  /**
   * Of changes: the record by the natural key of its row. Of creates: `{id}` by the digits of the id, of each record
   * that could be taken for one of the rows.
   */
  preimages: Map<string, JsonRecord>
  requests: number
  /** False when there are more records than so many rows are worth requests: one for each 2,000 rows. */
  isComplete: boolean
}

/** Milliseconds since 1970 are `now`. */
export type PreimageOptions = CurrentOptions & {now: number}

/** Requests that reading the records of so many rows may take. */
export function requestsForPreimages(operation: WriteId, rows: number): number {
  return writeOperation(operation).preimage === 'none' ? 0 : requestsToRead(rows)
}

/**
 * Reads the records that some rows are about to change, or the ids of those that the rows could be taken for, as the
 * policy of the write says. Throws a `CliFailure` when a read fails.
 */
export async function readPreimages(
  client: Reader,
  operation: WriteId,
  rows: RowList,
  options: PreimageOptions,
): Promise<Preimages> {
  const write = writeOperation(operation)
  if (rows.length === 0) return {preimages: new Map(), requests: 0, isComplete: true}
  if (write.preimage === 'none') return {preimages: new Map(), requests: 0, isComplete: false}
  try {
    if (write.preimage === 'records') return await readChanged(client, operation, rows, options)
    const between = {from: options.now, to: options.now}
    return toKnownIds(
      await readSimilar(
        client,
        write,
        {[Symbol.iterator]: () => recordsOf(rows)},
        between,
        requestsToRead(rows.length),
      ),
    )
  } catch (error) {
    throw error instanceof CliFailure ? notStarted(error) : error
  }
}

/** The plan with the records as they are before it is sent, where they are not known and can be read. */
export async function withPreimages(plan: Plan, client: Reader): Promise<Plan> {
  if (plan.sets.length === 0 || plan.preimages) return plan
  const sent = filterRows(plan.rows, ({skip}) => skip === undefined)
  const {current, ...rest} = plan
  const options = {now: systemClock.now(), known: current}
  const {preimages, requests, isComplete} = await readPreimages(client, plan.operation, sent, options)
  if (requests === 0 && !current) return plan
  const read = {...rest, preimages, preimagesComplete: isComplete, reads: plan.reads + requests}
  return {...read, notices: [...plan.notices, ...describeUnread(read)]}
}

/** The plan with the reads that `withPreimages` would make. */
export function withExpectedReads(plan: Plan): Plan {
  if (plan.reads > 0 && plan.preimages) return plan
  return {...plan, reads: plan.reads + requestsForPreimages(plan.operation, countToSend(plan))}
}

function* recordsOf(rows: RowList): Generator<JsonRecord, void, void> {
  for (const {record} of rows) yield record
}

async function readChanged(
  client: Reader,
  operation: WriteId,
  rows: RowList,
  options: CurrentOptions,
): Promise<Preimages> {
  const write = writeOperation(operation)
  const ids = rows.map((row) => idOf(row, write))
  const {records, requests} = await readCurrent(client, write, ids, options)
  const preimages = new Map<string, JsonRecord>()
  for (const row of rows) {
    const record = records.get(idText(idOf(row, write)))
    if (record) preimages.set(writtenKey(operation, row.record), record)
  }

  return {preimages, requests, isComplete: true}
}

function toKnownIds({records, requests, isComplete}: SomeRecords): Preimages {
  const ids = records.map(({id = null}): [string, JsonRecord] => [idText(id), {id}])
  return {preimages: new Map(ids), requests, isComplete}
}

/** Without these records nothing could prove later whether a set in doubt was applied. */
function notStarted({message, code, exit, hints, retry, cause}: CliFailure): CliFailure {
  return new CliFailure(`The records could not be read before the first set: ${message} Nothing was sent.`, {
    code,
    exit,
    hints,
    retry,
    cause,
  })
}
