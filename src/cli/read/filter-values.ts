import type {FilterValues} from '../../client/types.js'
import {
  allFieldsOf,
  dateClockOf,
  type Filter,
  type FilterKey,
  filterKeysOf,
  filterOf,
  type ReadId,
  readIds,
  readOperation,
} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure, toEntries} from '../../core/errors.js'
import {readSmallFile} from '../../core/small-file.js'
import {type Column, columnsOf} from '../../formats/columns.js'
import {describeSettled, settleConditions, toSortKeys} from '../../formats/conditions.js'
import {toReportRange} from '../../reports/read/report-range.js'
import {toMilliseconds} from '../../values/date-time.js'
import {type JsonValue, toNumber} from '../../values/json.js'
import {resolveDate} from '../../values/relative-date.js'
import type {CommandContext} from '../app/command-context.js'

/**
 * Filter values from parsed flags: lists are repeated, comma-separated, or one value per line of `@FILE`; dates are
 * resolved against `now`. Throws `usage` that names the flag and the value.
 */
export function toFilterValues(
  id: ReadId,
  flags: Readonly<Record<string, unknown>>,
  now = systemClock.now(),
): FilterValues {
  const values: FilterValues = {}
  const failures: CliFailure[] = []
  const isUtc = flags['time-basis'] === 'utc' || dateClockOf(id) === 'utc'
  for (const key of filterKeysOf(readOperation(id))) {
    try {
      const value = toValue(key, filterOf(key), flags[filterOf(key).flag], {now, isUtc})
      if (value !== undefined) values[key] = value
    } catch (error) {
      if (!(error instanceof CliFailure)) throw error
      failures.push(error)
    }
  }
  const wrong = failures.length > 0 ? undefined : findDisorder(values)
  if (wrong) failures.push(wrong)
  checkAll(failures)

  return values
}

/** Why a read would refuse these flags by themselves, before it asks the service; undefined where it would not. */
export function findWrongFlags(command: string, flags: Readonly<Record<string, unknown>>): string | undefined {
  const id = readIds.find((one) => readOperation(one).command === command)
  if (id === undefined) return undefined
  const {where = [], sort} = flags
  try {
    toFilterValues(id, flags)
    if (sort !== undefined) toSortKeys(String(sort))
    const columns = columnsOf(allFieldsOf(readOperation(id).resource))
    settleConditions([where].flat().map(String), columns, systemClock.now())
    return undefined
  } catch (error) {
    if (error instanceof CliFailure) return error.message
    throw error
  }
}

/** The range that dates were resolved to, for people; undefined where none was asked for. */
export function describeRange(id: ReadId, {StartDate, EndDate}: FilterValues, now: number): string | undefined {
  if (typeof StartDate !== 'string' && typeof EndDate !== 'string') return undefined
  const window = {
    ...(typeof StartDate === 'string' && {start: StartDate}),
    ...(typeof EndDate === 'string' && {end: EndDate}),
  }
  return toReportRange(window, now, true, dateClockOf(id)).text
}

/** Throws all failures as one, so that nobody has to correct one value after the other. */
function checkAll([first, ...more]: readonly CliFailure[]): void {
  if (!first || more.length === 0) {
    if (first) throw first
    return
  }
  const all = [first, ...more]
  throw new CliFailure(`${all.length} values of filters cannot be used.`, {
    code: first.code,
    exit: 'usage',
    entries: all.flatMap(toEntries),
    hints: [...new Set(all.flatMap(({hints}) => hints))],
  })
}

function findDisorder({StartDate, EndDate}: FilterValues): CliFailure | undefined {
  const [start, end] = [toMilliseconds(String(StartDate)), toMilliseconds(String(EndDate))]
  const isFine = start === undefined || end === undefined || start <= end
  return isFine ? undefined : invalid('start', `${StartDate} is after --end ${EndDate}`)
}

type Times = {now: number; isUtc: boolean}

function toValue(key: FilterKey, {kind, flag}: Filter, given: unknown, times: Times): JsonValue | undefined {
  if (given === undefined || given === false) return undefined
  if (kind === 'flag') return true
  if (kind === 'dateTime') return resolveDate(String(given), key === 'StartDate' ? 'start' : 'end', times.now, times)
  const lists = [given].flat().map((text) => toList(String(text), flag))
  const texts = lists.flatMap(({items}) => items)
  if (texts.length === 0) throw invalid(flag, 'the list is empty; without the flag everything would be read')
  const gap = lists.find((list) => list.gap !== undefined)?.gap
  if (gap !== undefined) throw invalid(flag, `an empty item in "${gap}"`)
  return kind === 'texts' ? unique(texts) : unique(texts.map((text) => toInteger(text, flag))).map(toNumber)
}

/** The items of one value; `gap` is the value if it has an empty item, as from an unset variable of a shell. */
function toList(text: string, flag: string): {items: string[]; gap?: string} {
  if (text.startsWith('@')) return {items: trimmed(readLines(text.slice(1), flag)).filter(Boolean)}
  const items = trimmed(text.split(','))
  return {items: items.filter(Boolean), ...(items.includes('') && {gap: text})}
}

function trimmed(parts: readonly string[]): string[] {
  return parts.map((part) => part.trim())
}

function readLines(path: string, flag: string): string[] {
  if (path === '') throw invalid(flag, 'no file is named after @')
  try {
    return readSmallFile(path)
      .replace(/^\uFEFF/, '')
      .split(/\r\n|\r|\n/)
  } catch (error) {
    throw invalid(flag, `cannot read ${path}: ${(error as Error).message}`)
  }
}

function toInteger(text: string, flag: string): string {
  if (/^-?\d+$/.test(text)) return String(BigInt(text))
  throw invalid(flag, `not an integer: "${text}"`)
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)]
}

function invalid(flag: string, why: string): CliFailure {
  return new CliFailure(`--${flag}: ${why}`, {code: 'FILTER_VALUE'})
}

/** The conditions of `--where` with relative dates replaced; each replacement is reported. */
export function settleWhere(
  {where = []}: {where?: readonly string[] | undefined},
  columns: readonly Column[],
  {messages, clock}: Pick<CommandContext, 'messages' | 'clock'>,
): string[] {
  const settled = settleConditions(where, columns, clock.now())
  for (const note of describeSettled(where, settled)) messages.note(note)
  return settled
}
