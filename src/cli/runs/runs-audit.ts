import {systemClock} from '../../core/clock.js'
import {cutMiddle} from '../../core/text-width.js'
import {version} from '../../core/version.js'
import type {TextPage} from '../../formats/write/html/text-page.js'
import {type AuditEntry, tidyAudit} from '../../runs/journal/audit-file.js'
import {listAudit} from '../../runs/report/audit.js'
import {fateNames} from '../../runs/rows/phases.js'
import {counted, thousands} from '../../values/counted.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {type JsonRecord, type JsonValue, parseJson} from '../../values/json.js'
import {resolveDate} from '../../values/relative-date.js'
import type {CommandContext} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {askedFormat} from '../read/format-of.js'
import {openSink} from '../read/open-sink.js'
import {ownColumns, toIso, toTimeColumn} from '../read/own-columns.js'
import {presentRecords, writeRecords} from '../read/present-records.js'
import {presentView} from '../read/present-view.js'
import type {RecordFlags} from '../read/read-flags.js'
import {settleWhere} from '../read/settle-where.js'
import {resolveSettings} from '../settings/settings.js'
import {toWords} from '../write/diff-view.js'
import {runFolderOf} from '../write/own-runs.js'
import {fateWords} from '../write/run-page.js'
import {shareAudit} from '../write/share-audit.js'

type AuditFlags = RecordFlags & {start?: string | undefined; end?: string | undefined}

const columns = [
  toTimeColumn('time'),
  ...ownColumns(['host', 'user', 'command', 'file', 'digest', ...fateNames, 'approvedBy', 'runId'], fateNames),
]
const resource = 'write'
const longestCell = 40

/** Every write of this machine, or of all that share a budget, newest first. */
export async function presentAudit(flags: AuditFlags, context: CommandContext): Promise<void> {
  const {start, end, output, ...asked} = flags
  const {'output-file': file} = flags
  const from = start === undefined ? undefined : resolveDate(start, 'start', systemClock.now(), {isUtc: true})
  const to = end === undefined ? undefined : resolveDate(end, 'end', systemClock.now(), {isUtc: true})
  const isWithin = ({time}: AuditEntry) =>
    !(from && Date.parse(time) < Date.parse(`${from}Z`)) && !(to && Date.parse(time) > Date.parse(`${to}Z`))
  const records = (await readEntries(context)).filter(isWithin)
  const isNarrowed = start !== undefined || end !== undefined
  const isPage = askedFormat(flags, file === '-' ? undefined : file) === 'html'
  if (!isPage) return presentRecords({...asked, output}, context, {resource, columns, records, isNarrowed})
  const rows = await selectRows(asked, context, records)
  const range = `${from ?? 'all that is kept'} … ${to ?? 'now'} (UTC)`
  const view = {page: () => toPage(rows, range), text: () => '', mostBytes: Number.POSITIVE_INFINITY}
  await presentView({...asked, output: 'html', isPrivate: true}, context, {data: [...rows]}, view)
}

async function readEntries({environment, caution}: CommandContext): Promise<AuditEntry[]> {
  const resolved = resolveSettings({}, environment)
  const folder = runFolderOf(environment)
  const before = systemClock.now() - Number(resolved.values.keepAudit.value) * millisecondsPerDay
  tidyAudit(folder, before)
  const {entries, damaged} = listAudit(folder)
  if (damaged > 0) caution(`${counted(damaged, 'line')} of the audit cannot be read`)
  const own = entries.filter(({time}) => Date.parse(time) >= before)
  return (await shareAudit(own, {resolved, environment, asks: true})) ?? own
}

/** The rows that the flags choose, in their order and with their columns. */
async function selectRows(flags: RecordFlags, context: CommandContext, records: JsonRecord[]): Promise<JsonRecord[]> {
  const parts: Buffer[] = []
  const done = async () => undefined
  const write = async (part: string | Uint8Array) => void parts.push(Buffer.from(part))
  const where = settleWhere(flags, columns, context)
  const target = {path: 'audit.ndjson', write, commit: done, discard: done}
  const sink = await openSink({...flags, output: 'ndjson'}, target, columns, {
    ...{resource, where, folder: () => stateFolder(context.environment)},
  })
  await writeRecords(records, sink)
  const lines = Buffer.concat(parts).toString().split('\n').filter(Boolean)
  return lines.map((line) => parseJson(line) as JsonRecord)
}

function toPage(rows: readonly JsonRecord[], range: string): TextPage {
  const names = Object.keys(rows[0] ?? {}).filter((name) => rows.some(({[name]: value = null}) => value !== null))
  const sumOf = (fate: string) => rows.reduce((sum, {[fate]: count}) => sum + Number(count ?? 0), 0)
  const isFate = (name: string) => fateNames.some((fate) => fate === name)
  const toText = (value: JsonValue = null) => (value === null ? '' : cutMiddle(toWords(value), longestCell))
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
