import type {FilterValues} from '../../client/types.js'
import {
  allFieldsOf,
  type FilterKey,
  filterKeysOf,
  filterOf,
  limits,
  type ReadId,
  readOperation,
} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {unescapeFormula} from '../../formats/write/dialect.js'
import {type Finding, quoteValue, writeText} from '../../validate/problem.js'
import {counted} from '../../values/counted.js'
import {millisecondsPerDay, toDateTime} from '../../values/date-time.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {anywhere, endOfServed, type Reader, readAtMost} from '../records/read-current.js'

export type NamedRecords = {records: JsonRecord[]; requests: number}

/** Values of all rows that name records, by field. */
export type Wanted = ReadonlyMap<string, readonly JsonValue[]>

/**
 * Reads all records that rows could mean: those that pass the filters of the contract, else all. Throws a `CliFailure`
 * when they cannot all be read, so that a record is never taken for missing, nor one for the only one.
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
    const field = operation.filters[key]?.find((name) => wanted.has(name))
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
  return readAtMost(client, id, filters)
}

/** Records that are served for a limited time only are read in one range after the other. */
async function readRanges(client: Reader, id: ReadId, filters: FilterValues, longest: number): Promise<NamedRecords> {
  const span = anywhere(systemClock.now())
  const found = new Map<string, JsonRecord>()
  let requests = 0
  for (let {from} = span; from < span.to; ) {
    const to = Math.min(from + longest, span.to)
    const dates = {StartDate: toDateTime(from), EndDate: toDateTime(to)}
    const some = await readAtMost(client, id, {...filters, ...dates})
    requests += some.requests
    for (const record of some.records) found.set(idText(record['id']), record)
    from = endOfServed({from, to}, some.served, dates)
  }

  return {records: [...found.values()], requests}
}

/** Fields with the values that a row gives for them. */
export type Pair = readonly [name: string, value: JsonValue]

const mostNamed = 5

/** `name "Mill" and accountId 202` */
export function describePairs(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${name} ${quoteValue(value)}`).join(' and ')
}

/** No record has the values; the one value that looks alike is what to write. */
export function findMissing(
  {resource, read}: {resource: string; read: ReadId},
  pairs: readonly Pair[],
  near: readonly JsonRecord[],
  more = '',
): Finding {
  const days = readOperation(read).range ? ` in the last ${counted(limits.alertSearchDays, 'day')}` : ''
  const none = `no ${resource} with ${describePairs(pairs)} exists that this login may see${days}${more}`
  const code = 'MISSING_RECORD'
  const [[name] = ['']] = pairs
  const values = [...new Set(near.map((record) => idText(record[name])))]
  if (near.length === 0 && pairs.length === 1 && more === '') return {code, message: none}
  const tell = (message: string): Finding => ({code, message, kind: message}) // no `write`: lint cannot know it
  if (pairs.length === 1 && values.length > 0) return tell(`${none}; write ${writeText(values)}`)
  const alike = near.slice(0, mostNamed).map((record) => {
    const names = pairs.map(([each]): Pair => [each, record[each] ?? null])
    return `${describePairs(names)} (id ${idText(record['id'])})`
  })
  return tell(alike.length === 0 ? none : `${none}; did you mean ${alike.join(' or ')}?`)
}

/** Several records have the values: their ids, and a field in which they differ. */
export function describeSeveral(resource: string, pairs: readonly Pair[], records: readonly JsonRecord[]): string {
  const field = records.length > 1 ? findDifference(resource, records) : undefined
  const shown = records.slice(0, mostNamed).map((record) => {
    const detail = field === undefined ? '' : ` (${describePairs([[field, record[field] ?? null]])})`
    return `${idText(record['id'])}${detail}`
  })
  const more = records.length > mostNamed ? ` and ${counted(records.length - mostNamed, 'other')}` : ''
  return `${counted(records.length, resource)} with ${describePairs(pairs)}: ${shown.join(', ')}${more}`
}

/** A field that tells records apart, ids of other records first. */
export function findDifference(resource: string, records: readonly JsonRecord[]): string | undefined {
  const fields = Object.entries(allFieldsOf(resource)).filter(
    ([name, {kind}]) => name !== 'id' && kind !== 'object' && kind !== 'list',
  )
  const ranked = [...fields.filter(([, {refersTo}]) => refersTo), ...fields.filter(([, {refersTo}]) => !refersTo)]
  const tells = ([name]: (typeof fields)[number]) => {
    const values = records.map((record) => record[name] ?? null)
    return !values.includes(null) && new Set(values.map((value) => printJson(value))).size === records.length
  }
  return ranked.find(tells)?.[0]
}
