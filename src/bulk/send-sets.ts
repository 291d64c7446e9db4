import type {Client, WriteAnswer} from '../client/types.js'
import type {WriteId} from '../contract/index.js'
import {CliFailure} from '../errors.js'
import {type PlannedRow, type PlannedSet, rowsOfSet} from './cut-sets.js'
import {toSent} from './to-sent.js'

/** What became of one set; `skipped` when it was never tried, because the run had stopped before it. */
export type SetResult = {set: PlannedSet; answer: WriteAnswer | {fate: 'skipped'}}

export type Sending = {
  client: Pick<Client, 'write'>
  operation: WriteId
  rows: readonly PlannedRow[]
  sets: readonly PlannedSet[]
  /** Once aborted no further set is sent; the one in flight is waited for. */
  signal?: AbortSignal | undefined
}

/** Sends the sets in order, one in flight, and stops at the first that was not applied. Every set has a result. */
export async function* sendSets({client, operation, rows, sets, signal}: Sending): AsyncGenerator<SetResult> {
  let stopped = false
  for (const set of sets) {
    if (stopped || signal?.aborted) {
      yield {set, answer: {fate: 'skipped'}}
      continue
    }

    const records = rowsOfSet(rows, set).map(({record}) => record)
    const answer = await send(client, operation, records)
    stopped = answer.fate !== 'applied'
    yield {set, answer}
  }
}

/** A client that throws anything but a failure that changed nothing leaves unknown what left this machine: doubt. */
async function send(
  client: Sending['client'],
  operation: WriteId,
  records: PlannedRow['record'][],
): Promise<WriteAnswer> {
  try {
    return await client.write(operation, toSent(operation, records))
  } catch (error) {
    if (error instanceof CliFailure && error.changed === 'none') return {fate: 'unsent', failure: error}
    return {fate: 'inDoubt', why: `unexpected: ${(error as Error).message}`, refusals: []}
  }
}
