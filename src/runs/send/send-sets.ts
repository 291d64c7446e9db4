import type {Client, WriteAnswer} from '../../client/types.js'
import {type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {bytesOfRow, type PlannedSet, type RowList, rowsOfSet} from '../plan/cut-sets.js'
import {type AfterAnswer, afterAnswer, halve, isTooLarge} from './after-answer.js'
import type {NotTried} from './journal-answer.js'
import {defaultBisectBudget, type OnError} from './on-error.js'
import type {SetJournal} from './run-journal.js'
import {toSent} from './to-sent.js'

/** What became of one set, or of a part of one. */
export type SetResult = {
  set: PlannedSet
  answer: WriteAnswer | NotTried
  /** Places of the rows whose fate is in a later result, because they are sent again. */
  again?: ReadonlySet<number>
  /** Why the journal could not take the answer, which is valid nevertheless. */
  unkept?: CliFailure
}

export type Sending = {
  client: Pick<Client, 'write'>
  operation: WriteId
  rows: RowList
  sets: readonly PlannedSet[]
  /** `stop` unless given. */
  onError?: OnError | undefined
  /** Most sets that are sent only to find refused rows; 40 unless given. */
  bisectBudget?: number | undefined
  atomic?: boolean | undefined
  /** Where every step is durable before the next one. */
  journal?: SetJournal | undefined
  /** Once aborted no further set is sent; the one in flight is waited for. */
  signal?: AbortSignal | undefined
}

/**
 * Sends the sets in order, one in flight. Every row of every set has its fate in exactly one of the results. Time:
 * linear in the rows that are sent, those that are sent again among them; memory: one set.
 */
export async function* sendSets(sending: Sending): AsyncGenerator<SetResult> {
  const sender = new Sender(sending)
  for (const planned of sending.sets) {
    const waiting = [planned]
    for (let set = waiting.pop(); set; set = waiting.pop()) {
      const parts = sender.cutLarge(set)
      if (parts) {
        const failure = sender.keep(() => sending.journal?.cut(set, parts))
        if (failure) yield {set, answer: {fate: 'unsent', failure}}
        else waiting.push(...parts.reverse())
        continue
      }

      const result = await sender.send(set)
      waiting.push(...result.parts.reverse())
      yield result.result
    }
  }
}

class Sender {
  readonly #sending: Sending
  #stopped: 'stopped' | 'canary' | undefined
  #budgetLeft: number
  /** A set of so many bytes was too large for the service. */
  #tooManyBytes = Number.POSITIVE_INFINITY

  constructor(sending: Sending) {
    this.#sending = sending
    this.#budgetLeft = sending.bisectBudget ?? defaultBisectBudget
  }

  /** The halves of a set that the service would not take for its size; undefined when it may be sent. */
  cutLarge(set: PlannedSet): PlannedSet[] | undefined {
    if (this.#stopped || this.#sending.atomic || set.places.length < 2) return undefined
    if (this.#tooManyBytes === Number.POSITIVE_INFINITY || this.#bytesOf(set) < this.#tooManyBytes) return undefined
    return halve(set, 'half')
  }

  async send(set: PlannedSet): Promise<{result: SetResult; parts: PlannedSet[]}> {
    const isToFind = set.part?.kind === 'bisect'
    if (this.#stopped || this.#sending.signal?.aborted) return notTried(set, this.#stopped ?? 'stopped')
    if (isToFind && this.#budgetLeft === 0) return notTried(set, 'budget')
    if (isToFind) this.#budgetLeft--
    const answer = await sendOnce(this.#sending, set)
    const {continues, parts} = this.#decide(answer, set)
    const unkept = this.keep(() => this.#sending.journal?.answered(set, answer, parts))
    if (unkept) return {result: {set, answer, unkept}, parts: []}
    if (!continues) this.#stopped = set.canary ? 'canary' : 'stopped'
    const again = new Set(parts.flatMap(({places}) => places))
    return {result: {set, answer, ...(again.size > 0 && {again})}, parts}
  }

  /** Why the journal could not take a step, after which nothing more is sent. */
  keep(step: () => void): CliFailure | undefined {
    try {
      step()
      return undefined
    } catch (error) {
      this.#stopped = 'stopped'
      if (error instanceof CliFailure) return error
      throw error
    }
  }

  #decide(answer: WriteAnswer, set: PlannedSet): AfterAnswer {
    const {rows, operation, onError = 'stop', atomic = false} = this.#sending
    if (isTooLarge(answer)) this.#tooManyBytes = Math.min(this.#tooManyBytes, this.#bytesOf(set))
    return afterAnswer(answer, set, {
      rows,
      operation: writeOperation(operation),
      onError,
      atomic,
      budgetLeft: this.#budgetLeft,
    })
  }

  #bytesOf(set: PlannedSet): number {
    return rowsOfSet(this.#sending.rows, set).reduce((sum, row) => sum + bytesOfRow(row), 0)
  }
}

function notTried(set: PlannedSet, why: NonNullable<NotTried['why']>) {
  return {result: {set, answer: {fate: 'skipped' as const, why}}, parts: []}
}

/** In doubt unless the failure proves that nothing was changed: the request may have left this machine. */
async function sendOnce({client, operation, rows, journal}: Sending, set: PlannedSet): Promise<WriteAnswer> {
  const records = rowsOfSet(rows, set).map(({record}) => record)
  try {
    const how = journal && {body: journal.bodyOf(set), beforeSend: () => journal.sending(set)}
    return toProven(await client.write(operation, toSent(operation, records), how), operation, records.length)
  } catch (error) {
    if (error instanceof CliFailure && error.changed === 'none') return {fate: 'unsent', failure: error}
    return {fate: 'inDoubt', why: `unexpected: ${(error as Error).message}`, refusals: []}
  }
}

/** An answer that names more or fewer ids than records were sent proves nothing about any single row. */
function toProven(answer: WriteAnswer, operation: WriteId, count: number): WriteAnswer {
  if (answer.fate !== 'applied' || writeOperation(operation).answer !== 'ids') return answer
  if (answer.ids.length === count) return answer
  return {
    fate: 'inDoubt',
    why: `the service answered ${answer.ids.length} ids for ${count} records`,
    refusals: [],
  }
}
