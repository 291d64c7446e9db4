import type {FilterValues} from '../../client/types.js'
import {type FilterKey, filterKeysOf, filterOf, limits, type ReadId, readOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {unescapeFormula} from '../../formats/write/dialect.js'
import {millisecondsPerDay, toDateTime, toMilliseconds} from '../../values/date-time.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {type Reader, readAtMost} from '../records/read-at-most.js'
import {anywhere, notServed, roundingMilliseconds} from '../records/read-current.js'

export type NamedRecords = {records: JsonRecord[]; requests: number}

/** What all rows say of the records they mean, by field. */
export type Wanted = ReadonlyMap<string, readonly JsonValue[]>

/**
 * Reads all records that rows could mean: those that the filters of the contract leave over, else all. Throws a
 * `CliFailure` when they cannot all be read, so that a record is never taken for missing, nor one for the only one.
 */
export async function readNamed(client: Reader, id: ReadId, wanted: Wanted): Promise<NamedRecords> {
  const filters = toFilters(id, wanted)
  try {
    return await readAll(client, id, filters)
  } catch (error) {
    const isForeign = error instanceof CliFailure && error.code === 'DATA_ACCESS'
    if (!isForeign || Object.keys(filters).length === 0) throw error
    return readAll(client, id, {}) // a row names what this login may not see: the others are found all the same
  }
}

function toFilters(id: ReadId, wanted: Wanted): FilterValues {
  const operation = readOperation(id)
  const filters: FilterValues = {}
  for (const key of filterKeysOf(operation)) {
    const field = operation.filters[key]?.matches.find((name) => wanted.has(name))
    const values = field === undefined ? undefined : toFilter(key, wanted.get(field) ?? [])
    if (values !== undefined) filters[key] = values
  }

  return filters
}

function toFilter(key: FilterKey, values: readonly JsonValue[]): JsonValue | undefined {
  const {kind} = filterOf(key)
  const distinct = new Map(values.map((value) => [idText(value), value]))
  if (distinct.size > limits.maximumPageSize) return undefined
  if (kind === 'integers') return [...distinct.values()]
  if (kind !== 'texts') return undefined
  const spellings = new Set([...distinct.keys()].flatMap(spell))
  return [...(spellings.size > limits.maximumPageSize ? distinct.keys() : spellings)]
}

/** A text, and what differs from it in case or blanks: to be able to suggest it. */
function spell(text: string): string[] {
  const plain = text.replaceAll(/\s/g, '')
  return [text, unescapeFormula(text), plain, plain.toUpperCase(), plain.toLowerCase()].filter((one) => one !== '')
}

async function readAll(client: Reader, id: ReadId, filters: FilterValues): Promise<NamedRecords> {
  const {range} = readOperation(id)
  if (range) return readRanges(client, id, filters, range.maximumDays * millisecondsPerDay)
  const {records, requests} = await readAtMost(client, id, filters, Number.POSITIVE_INFINITY)
  return {records, requests}
}

/** Records that are served for a limited time only are read in one range after the other. */
async function readRanges(client: Reader, id: ReadId, filters: FilterValues, longest: number): Promise<NamedRecords> {
  const span = anywhere(systemClock.now())
  const found = new Map<string, JsonRecord>()
  let requests = 0
  for (let {from} = span; from < span.to; ) {
    const to = Math.min(from + longest, span.to)
    const dates = {StartDate: toDateTime(from), EndDate: toDateTime(to)}
    const some = await readAtMost(client, id, {...filters, ...dates}, Number.POSITIVE_INFINITY)
    requests += some.requests
    for (const record of some.records) found.set(idText(record['id']), record)
    const [start, end] = [toMoment(some.served.start) ?? from, toMoment(some.served.end) ?? to]
    const isShort = end < to - roundingMilliseconds
    if (start > from + roundingMilliseconds || (isShort && end - from < millisecondsPerDay)) throw notServed(dates)
    from = isShort ? end : to
  }

  return {records: [...found.values()], requests}
}

function toMoment(text: string | undefined): number | undefined {
  return text === undefined ? undefined : toMilliseconds(text)
}
