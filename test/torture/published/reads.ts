import {numberOf, type Row, textOf, type Value} from './json.js'
import {stamp, type World} from './world.js'

export type Filters = {[key: string]: Value}
type Wants = (key: string) => ((value: unknown) => boolean) | undefined
type Reading = {
  rows: (world: World) => readonly Row[]
  keeps: (row: Row, wants: Wants, world: World) => boolean
  /** The largest page. */
  most: number
  /** The longest range in days, and the field that is compared. */
  days?: number
  on?: string
}

const everything = () => true
const machineOf = (world: World, id: Value | undefined) =>
  world.machines.find((row) => textOf(row['id']) === textOf(id))
const siteOf = (world: World, id: Value | undefined) => world.sites.find((row) => textOf(row['id']) === textOf(id))

function keepsMachine(machine: Row | undefined, wants: Wants, world: World): boolean {
  if (machine === undefined) return false
  const site = siteOf(world, machine['siteId'])
  const names = [machine['id'], machine['prose']]
  return (
    passes(wants('organizationIds'), machine['organizationId']) &&
    passes(wants('accountIds'), site?.['accountId']) &&
    passes(wants('siteIds'), machine['siteId']) &&
    (wants('machineIdentifiers') === undefined || names.some((name) => passes(wants('machineIdentifiers'), name)))
  )
}

const passes = (wanted: ((value: unknown) => boolean) | undefined, value: Value | undefined) =>
  (wanted ?? everything)(textOf(value))

const inventory: Reading = {
  rows: ({adjustments}) => adjustments,
  keeps: (row, wants, world) =>
    keepsMachine(machineOf(world, row['machineId']), wants, world) &&
    passes(wants('transactionIdentifiers'), row['id']),
  ...{most: 100, days: 31, on: 'adjustmentOccurredAt'},
}

/** What each read honours; keys that are not named have no effect. */
const readings: Record<string, Reading> = {
  '/organizations': {
    rows: ({organizations}) => organizations,
    keeps: (row, wants) => passes(wants('organizationIds'), row['id']),
    most: 2_000,
  },
  '/accounts': {
    rows: ({accounts}) => accounts,
    keeps: (row, wants) =>
      passes(wants('organizationIds'), row['organizationId']) && passes(wants('accountIds'), row['id']),
    most: 2_000,
  },
  '/sites': {
    rows: ({sites}) => sites,
    keeps: (row, wants) =>
      (row['isEnabled'] === true || wants('includeDeleted') !== undefined) &&
      passes(wants('organizationIds'), row['orgId']) &&
      passes(wants('accountIds'), row['accountId']) &&
      passes(wants('siteIds'), row['id']),
    most: 2_000,
  },
  '/machines': {rows: ({machines}) => machines, keeps: keepsMachine, most: 50},
  '/selections': {
    rows: ({selections}) => selections,
    keeps: (row, wants, world) =>
      (row['isActive'] === true || wants('includeDeleted') !== undefined) &&
      passes(wants('selectionIds'), row['id']) &&
      keepsMachine(machineOf(world, row['machineId']), wants, world),
    most: 100,
  },
  '/templates': {
    rows: ({templates}) => templates,
    keeps: (row, wants) => passes(wants('organizationIds'), row['organizationId']),
    most: 50,
  },
  '/template-selections': {
    rows: ({templateSelections}) => templateSelections,
    keeps: (row, wants) => passes(wants('templateIds'), row['templateId']),
    most: 50,
  },
  '/inventory': inventory,
  '/reports/inventory-adjustments': inventory,
  '/machines/settings': {
    rows: ({settings}) => settings,
    keeps: (row, wants, world) => keepsMachine(machineOf(world, row['machineId']), wants, world),
    most: 50,
  },
  '/products': {
    rows: ({products}) => products,
    keeps: (row, wants) => passes(wants('productIds'), row['id']),
    most: 50,
  },
  '/roles': {
    rows: ({roles}) => roles,
    keeps: (row, wants) => passes(wants('organizationsId'), row['organizationId']),
    most: 50,
  },
  '/role-rights': {
    rows: ({roleRights}) => roleRights,
    keeps: (row, wants) =>
      passes(wants('roleRightIds'), row['id']) &&
      passes(wants('roleIdentifiers'), row['roleId']) &&
      passes(wants('rightIds'), row['rightId']),
    most: 50,
  },
}

export type Page = {rows: readonly Row[]; headers: Record<string, string>}
export type NoPage = {code: 'INVALID_DATE_RANGE' | 'DATE_PARSING' | 'GENERIC_ERROR'}

export function isRead(path: string): boolean {
  return readings[path] !== undefined
}

/** A page of the records that pass all filters. */
export function readPage(
  world: World,
  path: string,
  filters: Filters,
  asked: {page: string; size: string},
): Page | NoPage {
  const reading = readings[path]
  const [page, size] = [Number(asked.page), Number(asked.size)]
  if (reading === undefined || !(Number.isInteger(page) && page > 0 && Number.isInteger(size) && size > 0))
    return {code: 'GENERIC_ERROR'}
  const range = rangeOf(reading, filters, world.now())
  if (range && 'code' in range) return range
  const wants: Wants = (key) => {
    const values = filters[key]
    if (values === true) return everything
    if (!Array.isArray(values) || values.length === 0) return undefined
    const texts = new Set(values.map(textOf))
    return (value) => texts.has(String(value))
  }
  const kept = reading
    .rows(world)
    .filter((row) => reading.keeps(row, wants, world))
    .filter((row) => range === undefined || isWithin(textOf(row[reading.on ?? '']), range))
  const used = Math.min(size, reading.most)
  const headers = {page: String(page), size: String(used), 'total-pages': String(Math.ceil(kept.length / used))}
  return {rows: kept.slice((page - 1) * used, page * used), headers: {...headers, ...range?.headers}}
}

type Range = {start: number; end: number; headers: Record<string, string>}

/** The range that is served: at most so many days, and said where it is not the one that was asked for. */
function rangeOf({days}: Reading, filters: Filters, now: number): Range | NoPage | undefined {
  if (days === undefined) return undefined
  const longest = days * 86_400_000
  const [from, to] = [momentOf(filters['StartDate'], 'T00:00:00'), momentOf(filters['EndDate'], 'T23:59:59')]
  if (Number.isNaN(from) || Number.isNaN(to)) return {code: 'DATE_PARSING'}
  if (from !== undefined && to !== undefined && from > to) return {code: 'INVALID_DATE_RANGE'}
  const start = from ?? (to ?? now) - longest
  const end = to === undefined ? (from === undefined ? now : from + longest) : Math.min(to, start + longest)
  const isChanged = start !== from || end !== to
  const headers = {'search-range-start-date': stamp(start), 'search-range-end-date': stamp(end)}
  return {start, end, headers: isChanged ? headers : {}}
}

function momentOf(value: Value | undefined, time: string): number | undefined {
  if (value === undefined || value === null) return undefined
  const text = textOf(value)
  return Date.parse(`${text.includes('T') ? text : text + time}Z`)
}

function isWithin(text: string, {start, end}: Range): boolean {
  const at = Date.parse(`${text}Z`)
  return at >= start && at <= end
}

/** Rights at machines, as one object. */
export function rightsAtMachines(world: World, filters: Filters): Record<string, number[]> {
  const wanted = filters['machineIdentifiers']
  const texts = Array.isArray(wanted) && wanted.length > 0 ? new Set(wanted.map(textOf)) : undefined
  const machines = world.machines.filter(
    ({id = null, prose = null}) => !texts || texts.has(textOf(id)) || texts.has(textOf(prose)),
  )
  const rights = world.roleRights.map(({rightId = null}) => numberOf(rightId))
  return Object.fromEntries(machines.map(({id = null}) => [textOf(id), rights]))
}
