import {toIso, toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {toSafeText} from '../../formats/safe-text.js'
import type {NamedExport} from '../../reports/register/list-named.js'
import {registerHints} from '../../reports/register/register-tables.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import {suggest} from '../../values/suggest.js'
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
  const {name, state, facts, mark, file, announced, isUnshared, holder = ''} = named
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
      return isUnshared
        ? `Its mark is on this machine only; move it into the shared store: ${commandLine('exports share', [name])}`
        : `The next run ${nextDelivery(named)}reads ${fromWhere(mark)}: ${run}`
  }
}

/** Where the next run begins; of a mark that machines share only its end may be known here. */
function fromWhere(mark: NamedExport['mark']): string {
  return mark && !mark.nextStart
    ? 'on from the mark that machines share'
    : `from ${mark?.nextStart ?? 'its --start'} on`
}

function nextDelivery({facts, undelivered}: NamedExport): string {
  if (!undelivered.some(({state}) => state === 'outstanding')) return ''
  return facts.isDelivered ? 'delivers what is outstanding, then ' : 'delivers nothing without --deliver and '
}

/** What was read under a name: one for each choice of filters and columns. Throws `usage` when there is none. */
function findNamed(all: readonly NamedExport[], name: string, scope = ''): NamedExport[] {
  const found = all.filter((one) => one.name === name && one.scope.startsWith(scope))
  if (found.length > 0) return found
  const near = suggest(
    name,
    all.map((one) => one.name),
  )
  const what = scope === '' ? `by the name ${name}` : `by the name ${name} in the scope ${scope}`
  throw new CliFailure(`Nothing was read ${what}.`, {
    code: 'NO_WATERMARK',
    hints: [
      ...(near === undefined || near === name ? [] : [`Did you mean ${near}?`]),
      `List all names: ${commandLine('exports list')}`,
    ],
  })
}

/** The one export of a name. Throws `usage` when the name was used with several filters and none is chosen. */
export function findOneNamed(all: readonly NamedExport[], name: string, scope?: string): NamedExport {
  const [only, ...more] = findNamed(all, name, scope)
  if (only && more.length === 0) return only
  throw new CliFailure(`${name} was used with several filters, services or columns; choose one with --scope.`, {
    code: 'NAME_AMBIGUOUS',
    hints: [only ?? [], more].flat().map((one) => `--scope ${shortScope(one)}: ${describeScope(one)}`),
  })
}

function describeScope({facts, mark}: NamedExport): string {
  const {command, profile, baseUrl, stage, filters} = facts
  const what = [command, profile && `profile ${profile}`, baseUrl && `${baseUrl} (${stage})`, filters].filter(Boolean)
  return [...what, `mark ${mark?.at ?? 'none'}`].join(', ')
}

const resource = 'namedExport'

/** All names of `--since-last`. */
export async function listNames(flags: RecordFlags, context: CommandContext): Promise<void> {
  const records = (await listAllNamed(context.environment)).map(toNamedRecord)
  await presentRecords(flags, context, {resource, columns: namedColumns, records})
}

/** One name, for people unless a format is asked for. */
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

/** The kept part of a file that was not finished. */
export function describeLeft({file}: Pick<NamedExport, 'file'>): string {
  if (file?.isSealed) return 'all of it is read; only its name or its mark is missing'
  if (file?.rows === undefined) return 'its checkpoint cannot be read now'
  return `${counted(file.rows, 'row')} kept in ${file.path}.part`
}
