import {commandLine} from '../../core/command-line.js'
import {toDateTime} from '../../values/date-time.js'
import type {JsonRecord} from '../../values/json.js'
import {keyOf} from '../plan/read-current.js'
import type {ReconciledSet} from './report.js'
import type {SetInDoubt} from './set-in-doubt.js'

const mostNamed = 50
const day = 86_400_000

/** A command that shows the records that a person must look at; none where the service shows nothing. */
export function lookAt({operation, run, records, report, entry}: SetInDoubt): Pick<ReconciledSet, 'look'> {
  const lines = new Set(report.unclear.map(({line}) => line))
  const odd = records.filter((_, index) => lines.has(run.plan.rows[entry.set.places[index] ?? -1]?.line ?? -1))
  const some = (odd.length > 0 ? odd : records).slice(0, mostNamed)
  const ids = listOf(some, 'id')
  switch (operation) {
    case 'sites.create':
      return {look: commandLine('sites list', [], {account: listOf(some, 'accountId'), ...whereName(some)})}
    case 'sites.update':
      return {look: commandLine('sites list', [], {site: ids})}
    case 'alerts.create': {
      const start = toDateTime(Math.floor(run.facts.createdAt / day) * day - day).slice(0, 10)
      const codes = listOf(some, 'code')
      return {look: commandLine('alerts list', [], {machine: listOf(some, 'machineId'), code: codes, start})}
    }
    case 'alerts.update':
    case 'alerts.clear':
      return {look: commandLine('alerts list', [], {alert: ids})}
    case 'machines.custom-data.create':
      return {}
  }
}

function listOf(records: readonly JsonRecord[], field: string): string {
  return [...new Set(records.map((record) => keyOf(record[field])))].join(',')
}

function whereName([first, ...more]: readonly JsonRecord[]): {where?: string} {
  return first && more.length === 0 ? {where: `name=${keyOf(first['name'])}`} : {}
}
