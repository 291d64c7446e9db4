import {type WriteId, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {JsonRecord} from '../../values/json.js'
import {naturalKeyOf} from '../check/row-content.js'
import {idOf} from './compare.js'
import type {PlannedRow} from './cut-sets.js'
import {describeUnread} from './missing-records.js'
import type {Plan, PlanOptions} from './plan.js'
import type {SomeRecords} from './read-at-most.js'
import {type CurrentOptions, keyOf, type Reader, readCurrent, requestsToRead} from './read-current.js'
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
  whole: boolean
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
  rows: readonly PlannedRow[],
  options: PreimageOptions,
): Promise<Preimages> {
  const write = writeOperation(operation)
  if (rows.length === 0) return {preimages: new Map(), requests: 0, whole: true}
  if (write.preimage === 'none') return {preimages: new Map(), requests: 0, whole: false}
  try {
    if (write.preimage === 'records') return await readChanged(client, operation, rows, options)
    const records = rows.map(({record}) => record)
    const between = {from: options.now, to: options.now}
    return toKnownIds(await readSimilar(client, write, records, between, requestsToRead(rows.length)))
  } catch (error) {
    throw error instanceof CliFailure ? notStarted(error) : error
  }
}

type Keeping = {client: Reader; record?: unknown; onRead?: PreimageOptions['onRead']; inform?: PlanOptions['inform']}

/** Why it could not be read how things are before a run; undefined when it was. */
export async function whyUnread(plan: Plan, options: Keeping): Promise<CliFailure | undefined> {
  try {
    await keepPreimages(plan, options)
    return undefined
  } catch (error) {
    if (error instanceof CliFailure) return error
    throw error
  }
}

/** Reads how things are before a run that is recorded, unless that is known. Throws why that could not be read. */
export async function keepPreimages(plan: Plan, {client, record, onRead, inform}: Keeping): Promise<void> {
  if (plan.sets.length === 0 || !record || plan.preimages) return
  const sent = plan.rows.filter(({skip}) => skip === undefined)
  const {preimages, requests, whole} = await readPreimages(client, plan.operation, sent, {
    now: systemClock.now(),
    onRead,
  })
  if (requests === 0) return
  plan.preimages = preimages
  plan.preimagesWhole = whole
  plan.reads += requests
  plan.notices.push(...describeUnread(plan))
  inform?.(plan)
}

async function readChanged(
  client: Reader,
  operation: WriteId,
  rows: readonly PlannedRow[],
  options: CurrentOptions,
): Promise<Preimages> {
  const {records, requests} = await readCurrent(client, writeOperation(operation), rows.map(idOf), options)
  const preimages = new Map<string, JsonRecord>()
  for (const row of rows) {
    const record = records.get(keyOf(idOf(row)))
    if (record) preimages.set(naturalKeyOf(operation, row.record) ?? keyOf(idOf(row)), record)
  }

  return {preimages, requests, whole: true}
}

function toKnownIds({records, requests, whole}: SomeRecords): Preimages {
  const ids = records.map(({id = null}): [string, JsonRecord] => [keyOf(id), {id}])
  return {preimages: new Map(ids), requests, whole}
}

/** Without this knowledge a lost answer could not be told from one that came to nothing. */
function notStarted({message, code, exit, hints, retry, cause}: CliFailure): CliFailure {
  return new CliFailure(`The records could not be read before the first set: ${message} Nothing was sent.`, {
    code,
    exit,
    hints,
    retry,
    cause,
  })
}
