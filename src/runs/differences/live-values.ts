import {allFieldsOf, limits, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {Reader} from '../records/read-at-most.js'
import {readCurrent} from '../records/read-current.js'
import {type PlannedRow, type PlannedSet, type RowList, rowsOfSet} from '../rows/cut-sets.js'
import {spellFields} from '../rows/merge.js'
import type {LiveSent} from '../rows/phases.js'
import {idOf, saidBy} from '../rows/row-content.js'
import {sendsLive} from '../rows/to-sent.js'

/** What changes by itself is read again before it is sent when it is older than this. */
export const oldestLiveMilliseconds = 1_000

export type LiveOptions = {
  client: Reader
  operation: WriteId
  rows: RowList
  /** When the values that rows carry were read, on the clock that never jumps; absent where that is not known. */
  readAt?: number | undefined
  monotonic?: (() => number) | undefined
}

type Known = {values: JsonRecord; at: number}

/** The values that change by themselves and that rows do not give, as they were just read. */
export class LiveValues {
  readonly #options: LiveOptions
  readonly #write: Write
  readonly #monotonic: () => number
  #known: ReadonlyMap<string, Known> = new Map()

  constructor(options: LiveOptions) {
    this.#options = options
    this.#write = writeOperation(options.operation)
    this.#monotonic = options.monotonic ?? systemClock.monotonic
  }

  /**
   * Reads what a set needs, where it is too old, and with it, in the same request, what the next sets need. Throws a
   * `CliFailure` when it cannot be read.
   */
  async read(set: PlannedSet, next: Iterable<PlannedSet> = []): Promise<void> {
    if (!this.isOld(set)) return
    const ids = this.#idsOf(set)
    for (const other of next) {
      if (ids.length >= limits.maximumPageSize) break
      for (const id of this.#idsOf(other)) if (ids.length < limits.maximumPageSize) ids.push(id)
    }

    const at = this.#monotonic()
    const {records} = await readCurrent(this.#options.client, this.#write, ids)
    const fields = allFieldsOf(this.#write.resource)
    const toValues = (record: JsonRecord = {}) => {
      const all = spellFields(record, fields)
      return Object.fromEntries(this.#write.live.flatMap((name) => toEntry(name, all.get(name))))
    }
    this.#known = new Map(ids.map(idText).map((key) => [key, {values: toValues(records.get(key)), at}]))
  }

  /** Whether a value of a set was read too long ago, or never. */
  isOld(set: PlannedSet): boolean {
    return this.sentOf(set).milliseconds > oldestLiveMilliseconds
  }

  /** Records of a set with the values as they were read last. */
  recordsOf(set: PlannedSet, records?: readonly JsonRecord[]): JsonRecord[] {
    return rowsOfSet(this.#options.rows, set).map((row, index) => {
      const record = records?.[index] ?? row.record
      const known = this.#known.get(idText(idOf(row, this.#write)))?.values ?? {}
      const values = Object.entries(known).filter(([name]) => !Object.hasOwn(saidBy(row), name))
      return values.length === 0 ? record : {...record, ...Object.fromEntries(values)}
    })
  }

  /** What would be sent of a set now. */
  sentOf(set: PlannedSet): LiveSent {
    const now = this.#monotonic()
    const rows = this.#rowsOf(set)
    return {rows: rows.length, milliseconds: rows.reduce((oldest, row) => Math.max(oldest, now - this.#readAt(row)), 0)}
  }

  #readAt(row: PlannedRow): number {
    const merged = row.given ? this.#options.readAt : undefined
    return this.#known.get(idText(idOf(row, this.#write)))?.at ?? merged ?? Number.NEGATIVE_INFINITY
  }

  #idsOf(set: PlannedSet): JsonValue[] {
    return this.#rowsOf(set).map((row) => idOf(row, this.#write))
  }

  #rowsOf(set: PlannedSet): PlannedRow[] {
    const {live} = this.#write
    return rowsOfSet(this.#options.rows, set).filter((row) => live.some((name) => !Object.hasOwn(saidBy(row), name)))
  }
}

/** Values for a write that sets fields which change by themselves; undefined for any other. */
export function createLiveValues(options: LiveOptions): LiveValues | undefined {
  return sendsLive(options.operation) ? new LiveValues(options) : undefined
}

function toEntry(name: string, value: JsonValue | undefined): [string, JsonValue][] {
  return value === undefined ? [] : [[name, value]]
}
