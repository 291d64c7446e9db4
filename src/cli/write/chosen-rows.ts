import {describeServed} from '../../client/served-range.js'
import type {FilterValues} from '../../client/types.js'
import {allFieldsOf, type ReadId, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {flagText} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {type ChosenRecords, readChosen} from '../../runs/records/read-current.js'
import type {FoundRecords} from '../../runs/rows/phases.js'
import type {Needs} from '../../runs/write/needs.js'
import {type JsonRecord, toNumber} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {filterFlags} from '../read/filter-flags.js'
import {describeRange, toFilterValues} from '../read/filter-values.js'
import {describeChosen} from './describe-sites.js'
import {listOf, notChoosing, type SelectionFlags} from './write-flags.js'

/** Rows that come from arguments, filters or --set, in place of a file. */
export type Chosen = {
  /** The name in messages. */
  name: string
  /** Each row names its record; `found` has the current records where the filters had to read them. */
  read(needs: Needs): Promise<{rows: JsonRecord[]; found: FoundRecords | null}>
}

/**
 * The rows that arguments, filters or --set choose; undefined where a file or a plan has them. Throws `usage` when rows
 * are chosen in two ways or in none.
 */
export function findChosen(operation: WriteId, flags: SelectionFlags, given: readonly string[]): Chosen | undefined {
  const write = writeOperation(operation)
  const list = listOf(write)
  const filters = list ? Object.keys(filterFlags(list, notChoosing)) : []
  const isPlan = flags['apply-plan'] !== undefined
  const narrowing = [...filters, 'where'].filter((flag) => flags[flag] !== undefined && flags[flag] !== false)
  const isNew = !isPlan && write.body === 'create' && flags.set !== undefined && flags.file === undefined
  const ways = [
    ...(isPlan ? ['--apply-plan'] : flags.file === undefined ? [] : ['--file']),
    ...(given.length === 0 ? [] : ['arguments']),
    ...(narrowing.length === 0 ? [] : [narrowing.map((flag) => flagText(flag, toText(flags[flag]))).join(' ')]),
    ...(flags['all'] === true ? ['--all'] : []),
    ...(isNew ? ['--set'] : []),
  ]
  const [way, another] = ways
  if (way === undefined) throw noneChosen(write, filters)
  if (another !== undefined)
    throw new CliFailure(`Records are chosen in one way only, and here are ${way} and ${another}; nothing was sent.`, {
      code: 'TWO_SELECTIONS',
      hints: ['Leave out all but one of plan, file, ids, filters and --all.'],
    })
  if (isPlan || way === '--file') return undefined
  if (write.body === 'update' && flags.set === undefined && flags.change === undefined) throw noChangeGiven(way)
  if (way === '--set') return {name: way, read: async () => ({rows: [{}], found: null})}
  if (way !== 'arguments' && list) return byFilters(write, list, flags, way)
  const named = flags.match?.join() ?? write.target
  const isInteger = allFieldsOf(write.resource)[named]?.kind === 'integer'
  const isNumber = (text: string) => isInteger && /^-?(0|[1-9]\d*)$/.test(text)
  const asName = isInteger && named === write.target ? given.find((text) => /\p{L}/u.test(text)) : undefined
  if (asName !== undefined) throw notAnId(asName, write)
  const toValue = (text: string) => (isNumber(text) ? toNumber(text) : text)
  return {name: way, read: async () => ({rows: given.map((text) => ({[named]: toValue(text)})), found: null})}
}

const toText = (value: unknown) => (value === true ? true : [value].flat().join())

/** The current records that filters find. */
function byFilters(write: Write, list: ReadId, flags: SelectionFlags, name: string): Chosen {
  return {
    name,
    async read(needs) {
      const {includeDeleted: _, ...filters} = toFilterValues(list, flags)
      const where = [flags['where'] ?? []].flat().map(String)
      const {records, readAt} = await readByFilters(list, filters, flags, {
        ...{needs, what: 'records', verb: 'change'},
        read: (client) => readChosen(client, list, filters, where),
      })
      needs.person.note(describeChosen(records, write))
      const idIn = (record: JsonRecord) => record[write.target] ?? null
      return {
        rows: records.map((record) => ({[write.target]: idIn(record)})),
        found: {records: new Map(records.map((record) => [idText(idIn(record)), record])), readAt},
      }
    },
  }
}

type Reading<Found> = {
  needs: Needs
  what: string
  verb: string
  read: (client: Needs['service']['client']) => Promise<Found>
}

/**
 * Reads what filters find, and reports the range of dates that was read. Throws `incomplete` when the service served a
 * shorter one, unless --allow-clamp is set.
 */
export async function readByFilters<Found extends Pick<ChosenRecords, 'served'>>(
  list: ReadId,
  filters: FilterValues,
  flags: SelectionFlags,
  {needs: {service, person}, what, verb, read}: Reading<Found>,
): Promise<Found> {
  const now = systemClock.now()
  const asked = describeRange(list, filters, now)
  if (asked !== undefined) person.note(asked)
  person.progress(`Reading the ${what} …`)
  const found = await read(service.client)
  person.progress(undefined)
  const {text, error} = describeServed(list, filters, found.served, now) ?? {}
  if (error && flags['allow-clamp'] !== true)
    throw new CliFailure(`${text}: ${what} outside of it were not seen; nothing was sent.`, {
      code: 'RANGE_CLAMPED',
      hints: [`Ask for a shorter range, or ${verb} what is served with --allow-clamp.`],
    })
  if (text) person.warn(text)
  return found
}

function notAnId(text: string, {resource, words: {nouns}}: Write): CliFailure {
  return new CliFailure(`"${text}" is not an id: ids of ${nouns} are integers; nothing was sent.`, {
    code: 'INVALID_INPUT',
    exit: 'invalid',
    hints: 'name' in allFieldsOf(resource) ? [`To choose ${nouns} by name, add: --match name`] : [],
  })
}

function noneChosen({body, words: {noun}}: Write, filters: readonly string[]): CliFailure {
  const names = filters.map((flag) => `--${flag}`).join(', ')
  const others =
    body === 'create'
      ? 'or one record with --set FIELD=VALUE'
      : `name ids, choose with ${names} or --where, or choose every one with --all`
  return new CliFailure(`No ${noun} is chosen; nothing was sent.`, {
    code: 'NO_SELECTION',
    hints: [
      filters.length > 0 || body === 'create' ? `Give a file with --file, ${others}.` : 'Give a file with --file.',
    ],
  })
}

function noChangeGiven(way: string): CliFailure {
  return new CliFailure(`Records are chosen by ${way}, and nothing says what to change in them; nothing was sent.`, {
    code: 'NO_CHANGE',
    exit: 'usage',
    hints: ['Add --set FIELD=VALUE.'],
  })
}

/** The failure for alerts or machines that are chosen in no way, or in several. */
export function notOneWay(what: 'alerts' | 'machines', isNone: boolean, ways: string): CliFailure {
  const named = what.replace(/^./, (first) => first.toUpperCase())
  return new CliFailure(
    isNone ? `No ${what} are selected; nothing was sent.` : `${named} are chosen in one way only.`,
    {code: isNone ? 'NO_SELECTION' : 'TWO_SELECTIONS', exit: 'usage', hints: [ways]},
  )
}
