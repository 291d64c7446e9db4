import type {FilterValues} from '../../client/types.js'
import {filterKeysOf, filterOf, type ReadId, readOperation, type WriteId} from '../../contract/index.js'
import {describeUnknownCodes} from '../../reports/read/alert-codes.js'
import {watchIds} from '../../reports/read/missing-ids.js'
import {foundAlerts, readOpenAlerts} from '../../runs/plan/plan-rows.js'
import {checkedRows, namedRows} from '../../runs/rows/phases.js'
import type {RowSource} from '../../runs/write/write.js'
import type {CommandContext} from '../app/command-context.js'
import {toFilterValues} from '../read/filter-values.js'
import {notOneWay, readByFilters} from './chosen-rows.js'
import {countAlerts} from './describe-sites.js'
import {writeRows} from './run-write.js'
import {toSending} from './sending-flags.js'
import type {SelectionFlags} from './write-flags.js'
import {writeFromFile} from './write-from-file.js'

/** The write, and the read that finds its records. */
type Clearing = {operation: WriteId; read: ReadId}

/** Clears alerts that are named, listed in a file, or found by filters; never all of them for want of a choice. */
export async function clearAlerts(
  {operation, read}: Clearing,
  given: SelectionFlags,
  context: CommandContext,
  words: readonly string[] = [],
): Promise<void> {
  const flags = words.length === 0 ? given : {...given, alert: [given['alert'] ?? [], ...words].flat()}
  const way = findWay(read, flags)
  if (way === 'file' || way === 'plan') return writeFromFile(operation, flags, context)
  const {alertIds, ...filters} = toFilterValues(read, flags)
  const ids = Array.isArray(alertIds) ? alertIds : []
  const records = ids.map((id) => ({id}))
  const named = async () => checkedRows(namedRows(operation, records))
  await writeRows({operation, flags, context}, way === 'filter' ? byFilters({operation, read}, filters, flags) : named)
}

/** The open alerts that filters find; how many they are is shown before anybody is asked. */
function byFilters({operation, read}: Clearing, filters: FilterValues, flags: SelectionFlags): RowSource {
  return async (needs) => {
    const {service, person} = needs
    const {client} = service
    const found = await readByFilters(read, filters, flags, {
      ...{needs, what: 'open alerts', verb: 'clear'},
      read: () => readOpenAlerts(client, operation, filters, [flags['where'] ?? []].flat().map(String)),
    })
    const alerts = found.records
    const missing = watchIds(read, filters)
    for (const alert of alerts) missing.look(alert)
    for (const text of await missing.find(client, {sawAll: true, others: 'look'})) person.warn(text)
    if (alerts.length === 0 && flags['where'] === undefined)
      for (const text of await describeUnknownCodes(client, filters, unkept, 0)) person.warn(text)
    if (alerts.length > 0) person.note({safe: await countAlerts(alerts)})
    const {StartDate = null, EndDate = null} = filters
    const dates = {...(StartDate !== null && {StartDate}), ...(EndDate !== null && {EndDate})}
    return foundAlerts(operation, found, {dates, sending: toSending(flags)})
  }
}

/** Only a write that found nothing asks for the codes. */
const unkept = {read: () => [], write: () => undefined}

type Way = 'alert' | 'file' | 'filter' | 'plan'

/** The one way in which the flags choose alerts. Throws `usage` for none, and for several. */
function findWay(read: ReadId, flags: SelectionFlags): Way {
  const filterFlags = filterKeysOf(readOperation(read)).map((key) => filterOf(key).flag)
  const given = [...filterFlags, 'where'].filter((flag) => flags[flag] !== undefined)
  const ways: Way[] = [
    ...(flags['apply-plan'] === undefined ? [] : ['plan' as const]),
    ...(flags.file === undefined || flags['apply-plan'] !== undefined ? [] : ['file' as const]),
    ...(given.includes('alert') ? ['alert' as const] : []),
    ...(given.some((flag) => flag !== 'alert') ? ['filter' as const] : []),
    ...(flags['all'] === true ? ['filter' as const] : []),
  ]
  const [way] = ways
  if (way !== undefined && ways.length === 1) return way
  const filters = filterFlags.filter((flag) => flag !== 'alert').map((flag) => `--${flag}`)
  const hint = `Name them by id, list them in a --file, find the open ones with ${filters.join(', ')} or --where, or take all of them with --all.`
  throw notOneWay('alerts', way === undefined, hint)
}
