import {describeServed, type ServedRange} from '../../client/served-range.js'
import {
  allFieldsOf,
  type Read,
  type ReadId,
  readOperation,
  type Write,
  type WriteId,
  writeOperation,
} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {flagWord} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {columnsOf} from '../../formats/columns.js'
import {selectRecords} from '../../formats/sort/select.js'
import {countRecords} from '../../runs/reconcile/judgement.js'
import {readAtMost} from '../../runs/records/read-current.js'
import {spellRecord} from '../../runs/rows/merge-fields.js'
import type {FoundRecords} from '../../runs/rows/phases.js'
import type {Needs} from '../../runs/write/needs.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, toNumber} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {filterFlags} from '../read/filter-flags.js'
import {describeRange, toFilterValues} from '../read/filter-values.js'
import {listOf, notChoosing, type SelectionFlags} from './write-flags.js'

/** Rows that no file holds: what each names, and the records where finding them showed those. */
export type Chosen = {
  /** How messages name them. */
  name: string
  read(needs: Needs): Promise<{rows: JsonRecord[]; found: FoundRecords | null}>
}

/**
 * The rows that arguments, filters or --set choose; undefined where a file has them. Throws `usage` for two ways, and
 * for none.
 */
export function findChosen(operation: WriteId, flags: SelectionFlags, given: readonly string[]): Chosen | undefined {
  const write = writeOperation(operation)
  const list = listOf(write)
  const filters = list ? Object.keys(filterFlags(list, notChoosing)) : []
  const narrowing = [...filters, 'where'].filter((flag) => flags[flag] !== undefined && flags[flag] !== false)
  const isNew = write.body === 'create' && flags.set !== undefined && flags.file === undefined
  const ways = [
    ...(flags.file === undefined ? [] : ['--file']),
    ...(given.length === 0 ? [] : ['arguments']),
    ...(narrowing.length === 0 ? [] : [narrowing.map((flag) => flagWord(flag, toText(flags[flag]))).join(' ')]),
    ...(flags['all'] === true ? ['--all'] : []),
    ...(isNew ? ['--set'] : []),
  ]
  const [way, another] = ways
  if (way === undefined) throw noneChosen(write, filters)
  if (another !== undefined) throw twoWays(way, another)
  if (way === '--file') return undefined
  if (way === '--set') return {name: way, read: async () => ({rows: [{}], found: null})}
  if (way !== 'arguments' && list) return byFilters(write, list, flags, way)
  const named = flags.match?.join() ?? write.target
  const isInteger = allFieldsOf(write.resource)[named]?.kind === 'integer'
  const toValue = (text: string) => (isInteger && /^-?\d+$/.test(text) ? toNumber(text) : text)
  return {name: way, read: async () => ({rows: given.map((text) => ({[named]: toValue(text)})), found: null})}
}

const toText = (value: unknown) => (value === true ? true : [value].flat().join())

/** The records that filters find, as they are. */
function byFilters(write: Write, list: ReadId, flags: SelectionFlags, name: string): Chosen {
  return {
    name,
    async read({service, person}) {
      const now = systemClock.now()
      const {includeDeleted: _, ...filters} = toFilterValues(list, flags, now)
      const dates = describeRange(list, filters, now)
      if (dates !== undefined) person.note(dates)
      person.progress('Reading the records …')
      const readAt = systemClock.monotonic()
      const {records, served} = await readAtMost(service.client, list, filters, Number.POSITIVE_INFINITY)
      person.progress(undefined)
      const range = describeServed(list, filters, served, now)
      warnOfRange(range, flags, person.warn, ['records', 'change'])
      const chosen = narrow(records, readOperation(list), flags)
      person.note(describeChosen(chosen, write))
      return {
        rows: chosen.map((record) => ({[write.target]: record[write.target] ?? null})),
        found: {records: new Map(chosen.map((record) => [idText(record[write.target] ?? null), record])), readAt},
      }
    },
  }
}

/** Those that --where lets through, by the spelling of the contract. */
function narrow(records: readonly JsonRecord[], {resource}: Read, {where = []}: SelectionFlags): JsonRecord[] {
  const fields = allFieldsOf(resource)
  const spelled = records.map((record) => spellRecord(record, fields))
  return selectRecords(spelled, columnsOf(fields), {where: [where].flat().map(String)}).records
}

const places = {machineId: 'machine', siteId: 'site', accountId: 'account'} as const

/** How many records were chosen, and at how many places. */
function describeChosen(records: readonly JsonRecord[], write: Write): string {
  const field = (Object.keys(places) as (keyof typeof places)[]).find((name) => records[0]?.[name] !== undefined)
  const at = field && new Set(records.map((record) => idText(record[field] ?? null))).size
  const where = field && at !== undefined ? `, of ${counted(at, places[field])}` : ''
  return `Chosen: ${countRecords(records.length, write)}${where}.`
}

function noneChosen({body, words: {noun}}: Write, filters: readonly string[]): CliFailure {
  const names = filters.map((flag) => `--${flag}`).join(', ')
  const others =
    body === 'create'
      ? 'or one record with --set FIELD=VALUE'
      : `name ids, choose with ${names} or --where, or take --all`
  return new CliFailure(`No ${noun} is chosen; nothing was sent.`, {
    code: 'NO_SELECTION',
    hints: [
      filters.length > 0 || body === 'create' ? `Give a file with --file, ${others}.` : 'Give a file with --file.',
    ],
  })
}

function twoWays(one: string, other: string): CliFailure {
  return new CliFailure(`Records are chosen in one way only, and here are ${one} and ${other}; nothing was sent.`, {
    code: 'TWO_SELECTIONS',
    hints: ['Leave out all but one of file, ids, filters and --all.'],
  })
}

/** Tells that another range was served than asked for. Throws `incomplete` for one that hides records, unless that is allowed. */
export function warnOfRange(
  {text = '', error}: Partial<ServedRange> = {},
  flags: SelectionFlags,
  warn: (text: string) => void,
  [what, verb]: readonly [what: string, verb: string],
): void {
  if (error && flags['allow-clamp'] !== true)
    throw new CliFailure(`${text}: ${what} outside of it were not seen; nothing was sent.`, {
      code: 'RANGE_CLAMPED',
      hints: [`Ask for a shorter range, or ${verb} what is served with --allow-clamp.`],
    })
  if (text !== '') warn(text)
}
