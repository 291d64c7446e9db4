import {toTimeText} from '../../core/clock.js'
import {toSafeText} from '../../formats/safe-text.js'
import type {NamedExport} from '../../reports/register/list-named.js'
import {counted} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {presentRecords} from '../read/present-records.js'
import type {RecordFlags} from '../read/read-flags.js'
import {foldFor} from '../terminal/fold-text.js'
import {findNamed} from './find-named.js'
import {namedColumns, nextOfName, shortScope, toNamedRecord} from './named-records.js'
import {listAllNamed} from './open-shared.js'

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
    mark ? `mark: complete up to ${mark.at}; the next run reads from ${mark.nextStart} on` : 'mark: none yet',
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

/** What is kept of a file that was not finished. */
export function describeLeft({file}: Pick<NamedExport, 'file'>): string {
  if (file?.isSealed) return 'all of it is read; only its name or its mark is missing'
  if (file?.rows === undefined) return 'its checkpoint cannot be read now'
  return `${counted(file.rows, 'row')} kept in ${file.path}.part`
}
