import {type ExitName, endOf, limits, type WriteId, writeOperation} from '../../contract/index.js'
import type {ErrorEntry} from '../../core/errors.js'
import {describeTotals} from '../../runs/differences/changes.js'
import {describeSums, isCreation, toDiffLines, toShown} from '../../runs/plan/plan-view.js'
import {countRecords} from '../../runs/reconcile/judgement.js'
import {rangeOf} from '../../runs/records/read-current.js'
import type {RunReport} from '../../runs/report/report.js'
import type {Comparison, MachineCounts} from '../../runs/rows/phases.js'
import {counted, thousands} from '../../values/counted.js'
import {type JsonValue, printJson} from '../../values/json.js'
import {placeText} from '../../values/place.js'
import {countFlag} from './consent.js'
import {toDiffData} from './diff-view.js'
import {describeToday, hintsOf, toBulkData} from './render-report.js'

const missingShown = 50

/** The rows that a dry run would send, in words, in at most `most` lines; nothing where there is nothing to send. */
export function renderPlan(report: RunReport, dailyQuota: number, most = missingShown): string[] {
  const {file, operation, rows, plan} = report
  const {requests, sets, rereads = 0, deletions = 0, created = 0} = plan
  if (report.exit !== 'invalid' && Object.values(rows).every((count) => count === 0)) return []
  const share = ((requests / dailyQuota) * 100).toFixed(1)
  const reads = requests - sets
  const {live} = writeOperation(operation)
  const again = rereads > 0 ? `, usually at most ${thousands(rereads)} more to read ${live.join(', ')} again` : ''
  const kinds = reads > 0 ? ` (${counted(reads, 'read')}, ${counted(sets, 'write')})` : ''
  return [
    `${file}: ${counted(rows.unsent, 'row')} for ${describeOperations(operation, created)} in ${counted(sets, 'set')}.`,
    ...describeComparison(report, most),
    ...describeToday(report),
    report.exit === 'invalid'
      ? 'A run would stop here. Nothing was sent.'
      : `Would send ${counted(requests, 'request')}${kinds}${again}, and one to log in if need be (${share} % of the daily quota). Nothing was sent.`,
    ...(deletions > 0 ? [`→ To confirm ${counted(deletions, 'deletion')}: ${countFlag(deletions)}`] : []),
    ...hintsOf(report.entries).map((hint) => `→ ${hint}`),
  ]
}

function describeOperations(operation: WriteId, created: number): string {
  return created === 0 ? operation : `${operation} and ${writeOperation(operation).creates}`
}

/** The report of a dry run as data, with every change and every id that was not found. */
export function toPlanData({plan, comparison, ...report}: RunReport): JsonValue {
  const data = toBulkData(report) as Record<string, JsonValue>
  return {...data, ...toDiffData({plan, ...(comparison && {comparison})})}
}

type Compared = Pick<RunReport, 'operation' | 'entries' | 'groups'> & {
  comparison?: Comparison | undefined
  exit?: ExitName
}

/** The changes, counted by field, and the ids that were not found, at most `most` of them. */
export function describeComparison(
  {comparison, operation, exit, entries, groups}: Compared,
  most = missingShown,
): string[] {
  if (!comparison) return []
  const {changes, missing, unchanged} = comparison
  const others = changes.filter((change) => !isCreation(change))
  const news = changes.length - others.length
  const records = new Set(others.map(({id}) => printJson(id))).size
  const fields = [...Map.groupBy(others, ({field}) => field)].map(
    ([field, {length}]) => `${field} ${thousands(length)}`,
  )
  const write = writeOperation(operation)
  const end = endOf(write)
  const ended = unchanged === 0 ? '' : `; ${thousands(unchanged)} ${end} already`
  const found =
    end !== undefined
      ? [`${countRecords(records, write)} to ${write.words.verb.toLowerCase()}${ended}.`]
      : [
          `${[
            `${counted(others.length, 'change')} in ${counted(records, 'record')}`,
            ...(news > 0 ? [`${thousands(news)} to create`] : []),
            `${thousands(unchanged)} already up to date`,
          ].join('; ')}.`,
          ...(fields.length === 0 ? [] : [`Changes by field: ${fields.join(', ')}.`]),
          ...describeTotals(comparison, write),
          ...describeSums(toDiffLines(changes), write).map((text) => `Sum of ${text}.`),
          ...describeMachines(comparison, most),
        ]
  const shown: readonly ErrorEntry[] = groups ?? entries
  if (exit === 'invalid') return [...found, ...shown.slice(0, most).map(toLine), ...describeMore(shown, most)]
  if (missing.length === 0) return found

  const ids = missing.slice(0, most).map(({id}) => printJson(id))
  const words = `${counted(missing.length, 'id')} not found: ${ids.join(', ')}`
  const why = rangeOf(write.probe)
    ? ` (${write.words.nouns} are looked for ${counted(limits.alertSearchDays, 'day')} back)`
    : ''
  return [...found, `${words}${why}; they would be sent anyway.`, ...describeMore(missing, most)]
}

/** Changes in the selections of each machine, and of all of them. */
function describeMachines({machines = []}: NonNullable<RunReport['comparison']>, most: number): string[] {
  if (machines.length === 0) return []
  const changing = machines.filter(({changed, created}) => changed + created > 0)
  const sum = (count: 'changed' | 'created' | 'unchanged') => machines.reduce((total, one) => total + one[count], 0)
  return [
    ...changing.slice(0, most).map(({id, name, ...counts}) => `  ${toShown(name ?? id)}: ${toCounts(counts)}`),
    ...describeMore(changing, most),
    `Selections of ${counted(machines.length, 'machine')}: ${toCounts({changed: sum('changed'), created: sum('created'), unchanged: sum('unchanged')})}.`,
  ]
}

type Counts = Pick<MachineCounts, 'changed' | 'created' | 'unchanged'>

function toCounts({changed, created, unchanged}: Counts): string {
  return `${thousands(changed)} would change, ${thousands(created)} would be created, ${thousands(unchanged)} stay as they are`
}

function describeMore({length}: readonly unknown[], most: number): string[] {
  return length > most ? [`  … and ${length - most} more`] : []
}

function toLine({message, ...place}: ErrorEntry): string {
  return `  ${placeText(place)} error ${message}`
}
