import {describeServed} from '../../../client/pages/served-range.js'
import type {FilterValues} from '../../../client/types.js'
import {filterKeysOf, filterOf, type ReadId, readOperation, type WriteId} from '../../../contract/index.js'
import {systemClock} from '../../../core/clock.js'
import {CliFailure} from '../../../core/errors.js'
import {planClearing, planFoundAlerts, readOpenAlerts} from '../../../runs/plan/clear-alerts.js'
import {compareWithRecords} from '../../../runs/plan/compare-plan.js'
import type {Plan} from '../../../runs/plan/plan.js'
import type {CommandContext} from '../../app/command-context.js'
import {describeRange, toFilterValues} from '../../read/filter-values.js'
import {allowClamp} from '../../read/finish-read.js'
import {watchIds} from '../../read/missing-ids.js'
import {runWrite} from '../run-write.js'
import {sendPlan} from '../send-plan.js'
import type {SelectionFlags} from '../write-flags.js'
import {matchEarlierRuns, toCompareOptions, toCutOptions, writeFromFile} from '../write-from-file.js'
import type {WriteSession} from '../write-session.js'
import {countAlerts} from './count-alerts.js'

/** The write, and the read that finds its records. */
type Clearing = {operation: WriteId; read: ReadId}

/** Clears alerts that are named, listed in a file, or found by filters; never all of them for want of a choice. */
export async function clearAlerts(
  {operation, read}: Clearing,
  flags: SelectionFlags,
  context: CommandContext,
): Promise<void> {
  const way = findWay(read, flags)
  if (way === 'file' || way === 'plan') return writeFromFile(operation, flags, context)
  const {alertIds, ...filters} = toFilterValues(read, flags, systemClock.now())
  await runWrite({operation, flags, context}, async (session) => {
    if (way === 'filter') return sendPlan(await planFound({operation, read}, filters, flags, session), session)
    const named = planClearing(operation, Array.isArray(alertIds) ? alertIds : [], toCutOptions(operation, flags))
    const matched = await matchEarlierRuns(named, session)
    return sendPlan(await compareWithRecords(matched, toCompareOptions(session, flags)), session)
  })
}

/** Finds the open alerts, and shows how many they are before anybody is asked. */
async function planFound(
  {operation, read}: Clearing,
  filters: FilterValues,
  flags: SelectionFlags,
  session: WriteSession,
): Promise<Plan> {
  const {client, progress, notes} = session
  const asked = describeRange(read, filters, systemClock.now())
  if (asked !== undefined) notes.note(asked)
  progress.update('Reading the open alerts …')
  const found = await readOpenAlerts(client, operation, filters)
  const {alerts, served} = found
  progress.pause()
  const range = allowClamp(flags, describeServed(read, filters, served, systemClock.now()))
  if (range?.error) throw clamped(range.text ?? '')
  if (range?.text) notes.warn(range.text)
  const missing = watchIds(read, filters)
  for (const alert of alerts) missing.look(alert)
  for (const text of await missing.find(client, {sawAll: true, others: 'look'})) notes.warn(text)
  if (alerts.length > 0) notes.note({safe: await countAlerts(alerts)})
  const {StartDate = null, EndDate = null} = filters
  const dates = {...(StartDate !== null && {StartDate}), ...(EndDate !== null && {EndDate})}
  return planFoundAlerts(operation, found, {dates, cut: toCutOptions(operation, flags)})
}

type Way = 'alert' | 'file' | 'filter' | 'plan'

/** Exactly one way to say which alerts. Throws `usage` otherwise. */
function findWay(read: ReadId, flags: SelectionFlags): Way {
  const filterFlags = filterKeysOf(readOperation(read)).map((key) => filterOf(key).flag)
  const given = filterFlags.filter((flag) => flags[flag] !== undefined)
  const ways: Way[] = [
    ...(flags['apply-plan'] === undefined ? [] : ['plan' as const]),
    ...(flags.file === undefined || flags['apply-plan'] !== undefined ? [] : ['file' as const]),
    ...(given.includes('alert') ? ['alert' as const] : []),
    ...(given.some((flag) => flag !== 'alert') ? ['filter' as const] : []),
  ]
  const [way] = ways
  if (way !== undefined && ways.length === 1) return way
  const filters = filterFlags.filter((flag) => flag !== 'alert').map((flag) => `--${flag}`)
  throw new CliFailure(
    way === undefined ? 'No alerts are selected; nothing was sent.' : 'Alerts are chosen in one way only.',
    {
      code: way === undefined ? 'NO_SELECTION' : 'TWO_SELECTIONS',
      exit: 'usage',
      hints: [`Name them with --alert, list them in a --file, or find the open ones with ${filters.join(', ')}.`],
    },
  )
}

function clamped(text: string): CliFailure {
  return new CliFailure(`${text}: open alerts outside of it were not seen; nothing was sent.`, {
    code: 'RANGE_CLAMPED',
    exit: 'incomplete',
    hints: ['Ask for a shorter range, or clear what is served with --allow-clamp.'],
  })
}
