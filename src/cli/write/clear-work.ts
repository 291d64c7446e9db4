import {describeServed} from '../../client/pages/served-range.js'
import type {FilterValues} from '../../client/types.js'
import {filterKeysOf, filterOf, readOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {type ClearOptions, clearAlerts} from '../../runs/plan/clear-alerts.js'
import {readOpenAlerts} from '../../runs/plan/open-alerts.js'
import type {RunReport} from '../../runs/report/report.js'
import type {JsonValue} from '../../values/json.js'
import {allowClamp} from '../read/allow-clamp.js'
import {describeAsked} from '../read/asked-range.js'
import {toFilterValues} from '../read/filter-values.js'
import {watchIds} from '../read/missing-ids.js'
import type {BulkFlagValues, SelectionFlagValues} from './bulk-consent.js'
import {BulkWork} from './bulk-work.js'
import {countAlerts} from './count-alerts.js'
import type {WorkTools} from './work.js'

const id = 'alerts.list'

/** Clears alerts that are named, listed in a file, or found by filters; never all of them for want of a choice. */
export class ClearWork extends BulkWork {
  async clear(flags: SelectionFlagValues): Promise<void> {
    const way = findWay(flags)
    if (way === 'file' || way === 'plan') return this.write('alerts.clear', flags as BulkFlagValues)
    const {alertIds, ...filters} = toFilterValues(id, flags, systemClock.now())
    await this.runBulk('alerts.clear', flags, (options, tools) => {
      const all = {...options, setSize: flags['set-size'], canary: flags.canary}
      return way === 'alert'
        ? clearAlerts('alerts.clear', alertIds as JsonValue[], all)
        : this.#clearFound(filters, flags, all, tools)
    })
  }

  async #clearFound(
    filters: FilterValues,
    flags: SelectionFlagValues,
    options: ClearOptions,
    {client, progress}: WorkTools,
  ): Promise<RunReport> {
    const asked = describeAsked(filters, systemClock.now())
    if (asked !== undefined) this.tellAbove(asked)
    progress.update('Reading the open alerts …')
    const found = await readOpenAlerts(client, 'alerts.clear', filters)
    const {alerts, served} = found
    progress.pause()
    const range = allowClamp(flags, describeServed(id, filters, served, systemClock.now()))
    if (range?.error) throw clamped(range.text ?? '')
    if (range?.text) this.caution(range.text)
    const missing = watchIds(id, filters)
    alerts.forEach(missing.look)
    for (const text of await missing.find(client, {isWhole: true, others: 'look'})) this.caution(text)
    if (alerts.length > 0) this.tellAbove({safe: await countAlerts(alerts)})
    const ids = alerts.map((alert) => alert['id'] ?? null)
    const {StartDate = null, EndDate = null} = filters
    const dates = {...(StartDate !== null && {StartDate}), ...(EndDate !== null && {EndDate})}
    return clearAlerts('alerts.clear', ids, {...options, dates}, found)
  }
}

type Way = 'alert' | 'file' | 'filter' | 'plan'

/** Exactly one way to say which alerts. Throws `usage` otherwise. */
function findWay(flags: SelectionFlagValues): Way {
  const filterFlags = filterKeysOf(readOperation(id)).map((key) => filterOf(key).flag)
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
    way === undefined ? 'Nothing says which alerts to clear; nothing was sent.' : 'Alerts are chosen in one way only.',
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
