import {fateNames} from '../../contract/index.js'
import {systemClock, toIso} from '../../core/clock.js'
import {cutMiddle} from '../../core/text-width.js'
import {version} from '../../core/version.js'
import type {TextPage} from '../../formats/write/html/text-page.js'
import {fateWords} from '../../runs/rows/phases.js'
import {counted, thousands} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {askedFormat} from '../read/format-of.js'
import {ownColumns, toTimeColumn} from '../read/own-columns.js'
import {presentRecords, selectRows} from '../read/present-records.js'
import {presentView} from '../read/present-view.js'
import type {RecordFlags} from '../read/read-flags.js'
import {readAudit} from '../write/share-audit.js'

type AuditFlags = RecordFlags & {start?: string | undefined; end?: string | undefined}

const columns = [
  toTimeColumn('time'),
  ...ownColumns(['host', 'user', 'command', 'file', 'digest', ...fateNames, 'approvedBy', 'runId'], fateNames),
]
const resource = 'write'
const longestCell = 40

/** Shows every write of this machine, or of all that share a budget, newest first. */
export async function presentAudit(flags: AuditFlags, context: CommandContext): Promise<void> {
  const {start, end, output, ...asked} = flags
  const {'output-file': file} = flags
  const {records, range} = await readAudit({start, end}, context)
  const isNarrowed = start !== undefined || end !== undefined
  const isPage = askedFormat(flags, file === '-' ? undefined : file) === 'html'
  if (!isPage) return presentRecords({...asked, output}, context, {resource, columns, records, isNarrowed})
  const rows = await selectRows(asked, context, {resource, columns, records})
  const view = {page: () => toAuditPage(rows, range), text: () => '', mostBytes: Number.POSITIVE_INFINITY}
  await presentView({...asked, output: 'html', isPrivate: true}, context, {data: [...rows]}, view)
}

/** The writes of a range as a page. */
function toAuditPage(rows: readonly JsonRecord[], range: string): TextPage {
  const names = Object.keys(rows[0] ?? {}).filter((name) => rows.some(({[name]: value = null}) => value !== null))
  const sumOf = (fate: string) => rows.reduce((sum, {[fate]: count}) => sum + Number(count ?? 0), 0)
  const isFate = (name: string) => fateNames.some((fate) => fate === name)
  const toText = (value: JsonValue = null) => (value === null ? '' : cutMiddle(String(value), longestCell))
  const table = {
    ...{
      caption: counted(rows.length, 'write'),
      what: 'writes',
      columns: names.map((name) => ({name, isNumber: isFate(name)})),
    },
    rows: rows.map((row) => names.map((name) => toText(row[name]))),
  }
  return {
    title: 'Writes',
    facts: [['range', range]],
    tiles: [
      {name: 'Writes', value: thousands(rows.length), isMain: true},
      ...fateNames
        .filter((fate) => names.includes(fate))
        .map((fate) => ({name: fateWords[fate], value: thousands(sumOf(fate))})),
    ],
    sections: [{title: 'Newest first', tables: rows.length === 0 ? [] : [table]}],
    footer: [`vendorctl ${version()}, ${toIso(systemClock.now())}`],
  }
}
