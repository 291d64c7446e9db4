import {valueAt} from '../../client/filter-check.js'
import type {Client, FilterValues} from '../../client/types.js'
import {
  type FilterKey,
  filterKeysOf,
  filterOf,
  limits,
  type Read,
  type ReadId,
  readIds,
  readOperation,
} from '../../contract/index.js'
import {CliFailure, type ErrorEntry, entryOf} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, type JsonValue, valueText} from '../../values/json.js'

type FindOptions = {
  /** Whether the read was complete, so that what it did not show does not exist. */
  sawAll: boolean
  /** Ids that the read cannot prove: `none` leaves them alone; `must` fails where they cannot be read. */
  others: 'none' | 'look' | 'must'
}

const mostNamed = 20

/** Watches a read for the ids that its filters name, because the service ignores ids that do not exist. */
export function watchIds(id: ReadId, filters: FilterValues) {
  const operation = readOperation(id)
  const keys = filterKeysOf(operation).filter((key) => Array.isArray(filters[key]) && homeOf(key) !== undefined)
  const left = new Map(
    keys.map((key) => [key, new Map([filters[key] ?? []].flat().map((value) => [keyOf(value), value] as const))]),
  )
  const look = (record: JsonRecord, {filters: uses}: Read = operation, watched: readonly FilterKey[] = keys) => {
    for (const key of watched) {
      const values = left.get(key)
      if (values?.size) for (const field of uses[key] ?? []) values.delete(keyOf(valueAt(record, field)))
    }
  }

  return {
    /** To be called with every record of the read. */
    look: (record: JsonRecord) => look(record),
    /** Reports ids that were asked for and do not exist; ids that the read itself cannot prove are looked up. */
    async find(client: Pick<Client, 'readPages'>, {sawAll, others}: FindOptions): Promise<string[]> {
      const found: string[] = []
      for (const [key, values] of left) {
        const home = homeOf(key)
        if (values.size === 0 || home === undefined) continue
        const isRanged = hasRange(home)
        if (isRanged && home !== id && others === 'must') throw unknown(key)
        const isShown = home === id && sawAll
        const isProof = isShown && (isRanged || keys.length === 1)
        const looks = !isProof && others !== 'none' && !isRanged
        if (!looks && !isShown) continue
        if (looks && !(await lookAtHome(client, home, key))) {
          if (others === 'must') throw unknown(key)
          continue
        }
        const where = isRanged ? ' in the range that was read' : isProof || looks ? '' : ' with the other filters'
        if (values.size === 0) continue
        const hint = looks || filters.includeDeleted === true ? '' : hintOfDeleted(readOperation(home))
        found.push(describe(key, [...values.values()], readOperation(home), where) + hint)
      }

      return found
    },
  }

  /** False when the records cannot be read. */
  async function lookAtHome(client: Pick<Client, 'readPages'>, home: ReadId, key: FilterKey): Promise<boolean> {
    const operationAtHome = readOperation(home)
    const asked = [...(left.get(key)?.values() ?? [])]
    const deleted = 'includeDeleted' in operationAtHome.filters ? {includeDeleted: true} : {}
    try {
      for (let start = 0; start < asked.length; start += limits.maximumPageSize) {
        const some = {...deleted, [key]: asked.slice(start, start + limits.maximumPageSize)}
        for await (const {records} of client.readPages(home, {filters: some})) {
          for (const record of records) look(record, operationAtHome, [key])
        }
      }
      return true
    } catch (error) {
      if (error instanceof CliFailure) return false
      throw error
    }
  }
}

/** Warning about a read without records: the records of other kinds that its filters name may not exist. */
export function describeUnproven(id: ReadId, filters: FilterValues): string | undefined {
  const keys = filterKeysOf(readOperation(id)).filter((key) => Array.isArray(filters[key]))
  const isElsewhere = (home: ReadId | undefined) => home !== undefined && home !== id && !hasRange(home)
  const flags = keys.filter((key) => isElsewhere(homeOf(key))).map((key) => `--${filterOf(key).flag}`)
  if (flags.length === 0) return undefined
  return `Nothing was found. Add --fail-on-missing to check that all ids of ${flags.join(' and ')} exist.`
}

/** A record that is left out for being deleted looks like one that does not exist. */
function hintOfDeleted({filters}: Read): string {
  return 'includeDeleted' in filters ? `; --${filterOf('includeDeleted').flag} also shows deleted ones` : ''
}

/** The errors of `--fail-on-missing`. */
export function toMissing(message: string): ErrorEntry {
  return entryOf('MISSING_ID', message, {hint: correct})
}

/** Looks for ids that do not exist before a long read begins, and throws the failure of `--fail-on-missing`. */
export async function refuseMissing(
  id: ReadId,
  filters: FilterValues,
  client: Pick<Client, 'readPages'>,
): Promise<void> {
  const found = await watchIds(id, filters).find(client, {sawAll: false, others: 'must'})
  if (found.length === 0) return
  throw new CliFailure('The filters name ids that do not exist; nothing was read.', {
    code: 'MISSING_ID',
    entries: found.map(toMissing),
    hints: [correct],
  })
}

const correct = 'Correct the ids, or leave --fail-on-missing out.'

/** The read whose records have the values of a filter as their ids. */
function homeOf(key: FilterKey): ReadId | undefined {
  return readIds.find((id) => readOperation(id).filters[key]?.includes('id'))
}

/** Only a part of a list with dates is read, so that an id which is not found may exist. */
function hasRange(id: ReadId): boolean {
  return readOperation(id).range !== undefined
}

/** Texts are compared without case, as the service does. */
function keyOf(value: JsonValue | undefined): string {
  return valueText(value ?? '')
    .trim()
    .toLowerCase()
}

function describe(key: FilterKey, values: readonly JsonValue[], {resource}: Read, where: string): string {
  const named = values.slice(0, mostNamed).map(valueText)
  const more = values.length > mostNamed ? ` and ${values.length - mostNamed} more` : ''
  return `--${filterOf(key).flag}: ${counted(values.length, resource)} not found${where}: ${named.join(', ')}${more}`
}

function unknown(key: FilterKey): CliFailure {
  return new CliFailure(`Could not check whether every id of --${filterOf(key).flag} exists.`, {
    code: 'IDS_UNKNOWN',
    retry: 'safe',
    hints: ['Try again later, or leave --fail-on-missing out.'],
  })
}
