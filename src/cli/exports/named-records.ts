import {commandLine} from '../../core/command-line.js'
import type {Column} from '../../formats/columns.js'
import {registerHints} from '../../reports/register/export-tables.js'
import type {NamedExport} from '../../reports/register/list-named.js'
import type {JsonRecord} from '../../values/json.js'
import {ownColumns, toTimeColumn} from '../runs/run-columns.js'
import {toIso} from '../runs/runs-list.js'

/** Columns of the list of names of `--since-last`. */
export const namedColumns: readonly Column[] = [
  ...ownColumns(['name', 'scope', 'state', 'command', 'profile', 'stage', 'service', 'filters', 'mark', 'nextFrom']),
  toTimeColumn('ended'),
  ...ownColumns(
    ['from', 'to', 'rows', 'file', 'host', 'holder', 'unfinished', 'unfinishedRows', 'undelivered', 'next'],
    ['rows', 'unfinishedRows'],
  ),
]

export function toNamedRecord(named: NamedExport): JsonRecord {
  const {name, state, facts, mark, last, file, host, holder, undelivered} = named
  const {command = null, profile = null, stage = null, baseUrl = null, filters = null} = facts
  return {
    ...{name, scope: shortScope(named), state: state === 'lost' ? 'unfinished' : state},
    ...{command, profile, stage, service: baseUrl, filters},
    ...{mark: mark?.at ?? null, nextFrom: mark?.nextStart ?? null, ended: last ? toIso(last.at) : null},
    ...{from: last?.from ?? null, to: last?.to ?? null, rows: last?.rows ?? null, file: last?.file ?? null},
    ...{host: host ?? null, holder: holder?.replace(/^ (on )?/, '') ?? null},
    ...{unfinished: file?.path ?? null, unfinishedRows: file?.rows ?? null},
    undelivered: undelivered.length > 0 ? undelivered.map(({path}) => path) : null,
    next: nextOfName(named),
  }
}

/** Tells the filters of a name apart. */
export function shortScope({scope}: Pick<NamedExport, 'scope'>): string {
  return scope.slice(0, 8)
}

/** The command that runs a name again. */
export function runOfName({name, facts}: Pick<NamedExport, 'name' | 'facts'>): string {
  if (facts.run === undefined) return commandLine('reports transactions …', [], {'since-last': name})
  return `vendorctl ${facts.run}`
}

/** What the next run of a name does, and the command that runs it. */
export function nextOfName(named: NamedExport): string {
  const {name, state, facts, mark, file, announced, holder = ''} = named
  const run = runOfName({name, facts})
  if (announced && state !== 'running' && state !== 'unfinished')
    return `The next run records ${announced.path} if it can see that file, or reads its range again: ${run}`
  switch (state) {
    case 'running':
      return `Wait: another run is reading it${holder}.`
    case 'unfinished':
      return `The next run finishes ${file?.path} first, then reads on: ${run}`
    case 'lost':
      return `The service sent fields that have no column; name them with --columns and start over: ${run} --fresh`
    case 'damaged':
      return file?.state === 'damaged'
        ? `Its checkpoint cannot be read; start over: ${run} --fresh`
        : registerHints.join()
    case 'newer':
      return 'Finish it with the version of vendorctl that wrote it, or a later one.'
    default:
      return `The next run ${nextDelivery(named)}reads from ${mark?.nextStart ?? 'its --start'} on: ${run}`
  }
}

function nextDelivery({facts, undelivered}: NamedExport): string {
  if (!undelivered.some(({state}) => state === 'outstanding')) return ''
  return facts.isDelivered ? 'delivers what is outstanding, then ' : 'delivers nothing without --deliver and '
}
