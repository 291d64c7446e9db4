import {type WriteId, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure, reworded} from '../../core/errors.js'
import {counted, listed} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import {PickedList} from '../../values/list.js'
import {idText} from '../../values/record-key.js'
import {
  type CurrentOptions,
  type Reader,
  readCurrent,
  requestsToRead,
  type SomeRecords,
} from '../records/read-current.js'
import {readSimilar} from '../records/similar-records.js'
import type {PlannedSet, RowList} from '../rows/cut-sets.js'
import {filterRows} from '../rows/packed-rows.js'
import {type Before, type Compared, countToSend} from '../rows/phases.js'
import {countNew, idOf, isNew, isNewSet, recordDigest, recordsByKey, writtenKey} from '../rows/row-content.js'
import {describeUnread, findNow} from './check-plan.js'

/**
 * Records before a write: for changes the record by the natural key of its row; for creates `{id}` by the digits of the
 * id, of each record that could be taken for one of the rows. Not complete when there are more records than the rows
 * are worth requests: one for each 2,000 rows.
 */
export type ReadBefore = Before & {requests: number}

/**
 * `now`, and `since`, when the first record can have been made, in milliseconds since 1970. `isWhole` reads all records,
 * however few rows there are, because they are compared with later ones.
 */
export type PreimageOptions = CurrentOptions & {now: number; since?: number; isWhole?: boolean}

/** Limit of requests for reading the records of `rows` rows. */
export function requestsForPreimages(operation: WriteId, rows: number): number {
  return writeOperation(operation).preimage === 'none' ? 0 : requestsToRead(rows)
}

/**
 * Reads the records that some rows are about to change, or the ids of those that the rows could be taken for, by the
 * policy of the write. Throws a `CliFailure` when a read fails.
 */
export async function readPreimages(
  client: Reader,
  operation: WriteId,
  rows: RowList,
  options: PreimageOptions,
): Promise<ReadBefore> {
  const write = writeOperation(operation)
  if (rows.length === 0) return {records: new Map(), requests: 0, isComplete: true}
  if (write.preimage === 'none') return {records: new Map(), requests: 0, isComplete: false}
  try {
    if (write.preimage === 'records') return await readChanged(client, operation, rows, options)
    const between = {from: options.since ?? options.now, to: options.now}
    return toKnownIds(
      await readSimilar(
        client,
        write,
        {[Symbol.iterator]: () => recordsOf(rows)},
        between,
        options.isWhole ? Number.POSITIVE_INFINITY : requestsToRead(rows.length),
      ),
    )
  } catch (error) {
    throw error instanceof CliFailure ? notStarted(error) : error
  }
}

/** With the records before they are sent, where they are not known and can be read. */
export async function withBefore(
  compared: Compared,
  client: Reader,
  options: Pick<PreimageOptions, 'isWhole'> = {},
): Promise<Compared> {
  if (compared.sets.length === 0 || compared.before) return compared
  const sent = filterRows(compared.rows, ({skip}) => skip === undefined)
  const now = systemClock.now()
  const {requests, ...before} = await readPreimages(client, compared.operation, sent, {...options, now})
  if (requests === 0) return compared
  const read = {...compared, before, reads: compared.reads + requests}
  return {...read, notices: [...read.notices, ...describeUnread(read)], problems: [...read.problems, ...findNow(read)]}
}

/**
 * With the ids of records that new ones could be taken for. They are read last: what others create meanwhile is not taken
 * for a row of this run.
 */
export async function withNames(compared: Compared, client: Reader): Promise<Compared> {
  const named = await readNames(compared, compared.sets, client)
  if (named.requests === 0) return compared
  const {requests, ...before} = joinBefore({...(compared.before ?? named), requests: 0}, named)
  return {...compared, before, reads: compared.reads + requests}
}

/**
 * Throws a `CliFailure` (incomplete) where records are no longer as they were when rows were laid over them: what
 * others changed meanwhile would be set back.
 */
export async function refuseChanged({operation, rows, merges, before}: Compared, client: Reader): Promise<void> {
  if (!merges || !before) return
  const write = writeOperation(operation)
  const known = filterRows(rows, ({skip, record}) => skip === undefined && !isNew(write, record))
  const {records} = await readPreimages(client, operation, known, {now: systemClock.now(), isWhole: true})
  const digestOf = (record: JsonRecord | undefined) => record && recordDigest(write, record)
  const changed = [...known].filter(({record}) => {
    const key = writtenKey(operation, record)
    return digestOf(before.records.get(key)) !== digestOf(records.get(key))
  })
  if (changed.length === 0) return
  const ids = changed.map((row) => idText(idOf(row, write)))
  throw new CliFailure(
    `${counted(ids.length, 'record')} changed while the question was open (${listed(ids, 3)}); nothing was sent.`,
    {code: 'RECORD_CHANGED', hints: ['Run the same command again: it shows what would change now.']},
  )
}

/** Records that are changed, and the ids of others. */
export function joinBefore(one: ReadBefore, other: ReadBefore): ReadBefore {
  return {
    records: new Map([...one.records, ...other.records]),
    isComplete: one.isComplete && other.isComplete,
    requests: one.requests + other.requests,
  }
}

/** The ids of records that the new ones in some sets could be taken for. */
export function readNames(
  {operation, rows}: Pick<Compared, 'operation' | 'rows'>,
  sets: readonly PlannedSet[],
  client: Reader,
): Promise<ReadBefore> {
  const {creates} = writeOperation(operation)
  const places = sets.filter((set) => isNewSet({operation, rows}, set)).flatMap((set) => set.places)
  return readPreimages(client, creates ?? operation, new PickedList(rows, places), {
    now: systemClock.now(),
    isWhole: true,
  })
}

/** The plan with the reads that `withBefore` and `withNames` would add. */
export function withExpectedReads(compared: Compared): Compared {
  const {reads, before, operation} = compared
  const created = countNew(compared)
  const named = created > 0 ? requestsForPreimages(writeOperation(operation).creates ?? operation, created) : 0
  if (reads > 0 && before) return {...compared, reads: reads + named}
  return {...compared, reads: reads + named + requestsForPreimages(operation, countToSend(compared))}
}

function* recordsOf(rows: RowList): Generator<JsonRecord, void, void> {
  for (const {record} of rows) yield record
}

async function readChanged(
  client: Reader,
  operation: WriteId,
  rows: RowList,
  options: CurrentOptions,
): Promise<ReadBefore> {
  const write = writeOperation(operation)
  const ids = rows.map((row) => idOf(row, write))
  const {records, requests} = await readCurrent(client, write, ids, options)
  return {records: recordsByKey(operation, rows, records), requests, isComplete: true}
}

function toKnownIds({records, requests, isComplete}: SomeRecords): ReadBefore {
  const ids = records.map(({id = null}): [string, JsonRecord] => [idText(id), {id}])
  return {records: new Map(ids), requests, isComplete}
}

/** Without these records nothing could prove later whether a set in doubt was applied. */
function notStarted(failure: CliFailure): CliFailure {
  const {message} = failure
  return reworded(failure, `The records could not be read before the first set: ${message} Nothing was sent.`)
}
