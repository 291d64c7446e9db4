import {toIso, toTimeText} from '../../core/clock.js'
import {toSafeText} from '../../formats/safe-text.js'
import type {NamedExport} from '../../reports/register/list-named.js'
import {describeLeft, findNamed, fromWhere, nextOfName, shortScope} from '../../reports/register/named-steps.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {ownColumns, toTimeColumn} from '../read/own-columns.js'
import {presentRecords} from '../read/present-records.js'
import type {RecordFlags} from '../read/read-flags.js'
import {foldFor} from '../terminal/fold-text.js'
import {listAllNamed} from './export-store.js'

/** Columns of the list of names of `--since-last`. */
const namedColumns = [
  ...ownColumns(['name', 'scope', 'state', 'command', 'profile', 'stage', 'service', 'filters', 'mark', 'nextFrom']),
  toTimeColumn('ended'),
  ...ownColumns(
    ['from', 'to', 'rows', 'file', 'host', 'holder', 'unfinished', 'unfinishedRows', 'undelivered', 'next'],
    ['rows', 'unfinishedRows'],
  ),
]

function toNamedRecord(named: NamedExport): JsonRecord {
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

const resource = 'namedExport'

/** Shows all names of `--since-last`. */
export async function listNames(flags: RecordFlags, context: CommandContext): Promise<void> {
  const records = (await listAllNamed(context.environment)).map(toNamedRecord)
  await presentRecords(flags, context, {resource, columns: namedColumns, records})
}

/** Shows one name of --since-last, for people unless a format is asked for. */
export async function showName(
  name: string,
  flags: RecordFlags & {scope?: string | undefined},
  context: CommandContext,
): Promise<void> {
  const found = findNamed(await listAllNamed(context.environment), name, flags.scope)
  const records = found.map(toNamedRecord)
  const text = `${found.map((one) => foldFor(process.stdout, renderNamed(one))).join('\n\n')}\n`
  await presentRecords(flags, context, {resource, columns: namedColumns, records, usual: {text, data: records}})
}

function renderNamed(named: NamedExport): string {
  const {name, facts, file} = named
  const {command, profile, baseUrl, stage, filters, isAppended} = facts
  const what = [command, profile && `profile ${profile}`, baseUrl && `${baseUrl} (${stage})`].filter(Boolean).join(', ')
  return [
    `${name}: ${what || 'from an earlier version of vendorctl'}`,
    `scope: ${shortScope(named)}${filters ? `, ${filters}` : ', no filters'}${isAppended ? ', appended to one file' : ''}`,
    ...renderMark(named),
    ...(named.announced ? [`announced by ${named.announced.host}, not recorded: ${named.announced.path}`] : []),
    ...(file ? [`unfinished: ${file.path}, ${describeLeft(named)}`] : []),
    ...named.undelivered.map(describeUndelivered),
    `→ ${nextOfName(named)}`,
  ]
    .map(toSafeText)
    .join('\n')
}

function renderMark({mark, last, host}: Pick<NamedExport, 'mark' | 'last' | 'host'>): string[] {
  const reads = last && `${last.from} … ${last.to}, ${counted(last.rows, 'row')}${last.file ? ` in ${last.file}` : ''}`
  return [
    mark ? `mark: complete up to ${mark.at}; the next run reads ${fromWhere(mark)}` : 'mark: none yet',
    last
      ? `last complete run: ${toTimeText(last.at)}${host === undefined ? '' : ` on ${host}`}, ${reads}`
      : 'last complete run: not known',
  ]
}

function describeUndelivered({path, state, rows, tries, triedAt, why}: NamedExport['undelivered'][number]): string {
  const tried = triedAt === undefined ? 'not tried yet' : `${counted(tries, 'attempt')}, last ${toTimeText(triedAt)}`
  const given = state === 'outstanding' ? tried : `given up: it was ${state === 'gone' ? 'removed' : 'changed'} before`
  return `not delivered: ${path}, ${counted(rows, 'row')}, ${given}${why ? `: ${why}` : ''}`
}
