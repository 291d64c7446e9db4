import type {Client, WriteAnswer} from '../../client/types.js'
import {type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {createLiveValues, type LiveValues} from '../differences/live-values.js'
import type {SetJournal} from '../journal/run-journal.js'
import {bytesOfRow, type PlannedSet, type RowList, recordsOfSet, rowsOfSet} from '../rows/cut-sets.js'
import {defaultBisectBudget, type OnError} from '../rows/on-error.js'
import type {NotTried, SetResult} from '../rows/phases.js'
import {operationOfSet} from '../rows/row-content.js'
import {type AfterAnswer, afterAnswer, halve, isTooLarge, type SentSet, sendSet} from './send-set.js'

export type SetsToSend = {
  client: Pick<Client, 'write' | 'readPages'>
  operation: WriteId
  rows: RowList
  sets: readonly PlannedSet[]
  onError: OnError
  /** Most sets that are sent only to find refused rows; 40 unless given. */
  bisectBudget?: number | undefined
  atomic?: boolean | undefined
  /** The journal, in which every step is durable before the next one. */
  journal: SetJournal
  /** The moment at which the current records in the rows were read, on the clock that never jumps. */
  readAt?: number | undefined
  /** That clock; the one of the system unless given. */
  monotonic?: (() => number) | undefined
  /** Once aborted no further set is sent; the one in flight is waited for. */
  signal?: AbortSignal | undefined
}

/**
 * Sends the sets in order, one in flight. Every row of every set has its fate in exactly one of the results. Time:
 * linear in the rows that are sent, those that are sent again among them; memory: one set.
 */
export async function* sendSets(sending: SetsToSend): AsyncGenerator<SetResult> {
  const sender = new Sender(sending)
  for (const [place, planned] of sending.sets.entries()) {
    const waiting = [planned]
    for (let set = waiting.pop(); set; set = waiting.pop()) {
      const parts = sender.cutLarge(set)
      if (parts) {
        const failure = sender.keep(() => sending.journal.cut(set, parts))
        if (failure) yield {set, answer: {fate: 'unsent', failure}}
        else waiting.push(...parts.reverse())
        continue
      }

      const result = await sender.send(set, setsAfter(place, waiting, sending.sets))
      waiting.push(...result.parts.reverse())
      yield result.result
    }
  }
}

class Sender {
  readonly #sending: SetsToSend
  #stopped: 'stopped' | 'canary' | undefined
  #budgetLeft: number
  /** The size of a set that was too large for the service. */
  #tooManyBytes = Number.POSITIVE_INFINITY
  readonly #live: LiveValues | undefined

  constructor(sending: SetsToSend) {
    this.#sending = sending
    this.#live = createLiveValues(sending)
    this.#budgetLeft = sending.bisectBudget ?? defaultBisectBudget
  }

  /** The halves of a set that the service would not take for its size; undefined when it may be sent. */
  cutLarge(set: PlannedSet): PlannedSet[] | undefined {
    if (this.#stopped || this.#sending.atomic || set.places.length < 2) return undefined
    if (this.#tooManyBytes === Number.POSITIVE_INFINITY || this.#bytesOf(set) < this.#tooManyBytes) return undefined
    return halve(set, 'half')
  }

  async send(set: PlannedSet, next: Iterable<PlannedSet>): Promise<{result: SetResult; parts: PlannedSet[]}> {
    const isToFind = set.part?.kind === 'bisect'
    if (this.#stopped || this.#sending.signal?.aborted) return notTried(set, this.#stopped ?? 'stopped')
    if (isToFind && this.#budgetLeft === 0) return notTried(set, 'budget')
    if (isToFind) this.#budgetLeft--
    const {answer, live} = await this.#sendOnce(set, next)
    const {continues, parts} = this.#decide(answer, set)
    const unrecorded = this.keep(() => this.#sending.journal.answered(set, answer, parts))
    const sent = {set, answer, ...(live && {live})}
    if (unrecorded) return {result: {...sent, unrecorded}, parts: []}
    if (!continues) this.#stopped = set.canary ? 'canary' : 'stopped'
    const again = new Set(parts.flatMap(({places}) => places))
    return {result: {...sent, ...(again.size > 0 && {again})}, parts}
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

  async #sendOnce(set: PlannedSet, next: Iterable<PlannedSet>): Promise<SentSet> {
    const {client, rows, journal, signal} = this.#sending
    const operation = operationOfSet(this.#sending, set)
    const records = recordsOfSet(rows, set)
    const sent = await sendSet({
      ...{client, operation, set, next, signal, records},
      live: this.#live,
      keptBody: () => journal.bodyOf(set),
      sending: (body) => journal.sending(set, body),
      unsent: (answer) => this.keep(() => journal.answered(set, answer, [])),
    })
    return {...sent, answer: toProven(sent.answer, operation, records.length)}
  }

  #decide(answer: WriteAnswer, set: PlannedSet): AfterAnswer {
    const {rows, onError, atomic = false} = this.#sending
    if (isTooLarge(answer)) this.#tooManyBytes = Math.min(this.#tooManyBytes, this.#bytesOf(set))
    return afterAnswer(answer, set, {
      rows,
      operation: writeOperation(operationOfSet(this.#sending, set)),
      onError,
      atomic,
      budgetLeft: this.#budgetLeft,
    })
  }

  #bytesOf(set: PlannedSet): number {
    return rowsOfSet(this.#sending.rows, set).reduce((sum, row) => sum + bytesOfRow(row), 0)
  }
}

/** The sets to send next: the parts that wait, the last one first, and then the other sets. */
function* setsAfter(place: number, waiting: readonly PlannedSet[], sets: readonly PlannedSet[]): Generator<PlannedSet> {
  yield* waiting.toReversed()
  for (let next = place + 1; next < sets.length; next++) yield* sets.slice(next, next + 1)
}

function notTried(set: PlannedSet, why: NonNullable<NotTried['why']>) {
  return {result: {set, answer: {fate: 'skipped' as const, why}}, parts: []}
}

/** An answer that names more or fewer ids than records were sent proves nothing about any single row. */
function toProven(answer: WriteAnswer, operation: WriteId, count: number): WriteAnswer {
  if (answer.fate !== 'applied' || writeOperation(operation).answer !== 'ids') return answer
  if (answer.ids.length === count) return answer
  return {fate: 'inDoubt', why: `the service answered ${answer.ids.length} ids for ${count} records`, refusals: []}
}
