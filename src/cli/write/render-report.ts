import {exitCodeOf, isWriteId, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {nextStepOfReport, nextStepText, stepOfStopped} from '../../runs/report/next-step.js'
import type {RunReport, SetNote} from '../../runs/report/report.js'
import {cutText, refusedCells, refusedHeaders} from '../../runs/report/run-tables.js'
import {describeFates, type RowOutcome} from '../../runs/rows/phases.js'
import {counted, thousands} from '../../values/counted.js'
import {defined} from '../../values/defined.js'
import type {JsonValue} from '../../values/json.js'
import {type Layout, spanPlace} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import type {Line} from '../app/messages.js'
import {simpleTable} from '../terminal/simple-table.js'
import {describeMoved, describePickUp, placesData} from './describe-sites.js'

const linesShown = 50

/**
 * The outcome of the rows: the refusals, the sets in doubt or not sent, then the fates, the changes, the files that
 * were written, and the next step.
 */
export async function renderReport(report: RunReport, files: readonly string[] = []): Promise<Line[]> {
  const {file, layout, refusals, notes, rows, entries, exit, ending, sentEarlier} = report
  if (ending.isCancelled) return [`Cancelled; nothing ${sentEarlier ? 'else ' : ''}was sent.`, ...files]
  const cells = refusals.slice(0, linesShown).map((row) => refusedCells(row, layout))
  const table = refusals.length > 0 ? await simpleTable(refusedHeaders, cells, process.stderr) : ''
  const hints = hintsOf(entries)
  return [
    table && {safe: table.trimEnd()},
    more(refusals.length, 'refusals'),
    ...notes.slice(0, linesShown).map((note) => toLine(note, layout)),
    more(notes.length, 'sets'),
    describeRolledBack(rows.rolledBack),
    ...describeNotSent(report),
    `${file}: ${describeFates(rows)}`,
    describeNew(report),
    describeEqualChanges(report),
    changedWords(report),
    ...describeMoved(report),
    report.live ? describeLive(report) : '',
    ...(report.pickUp ? describePickUp(report.pickUp) : []),
    ...describeToday(report),
    ...files,
    ...hints.map((hint) => `→ ${hint}`),
    describeNext(report, hints),
    exit === 'ok'
      ? ''
      : `→ What exit code ${exitCodeOf(exit).code} means: ${commandLine('explain', [String(exitCodeOf(exit).code)])}`,
  ].filter(Boolean)
}

/** Use of a daily limit that the service has for the operation itself, by runs of this user. */
export function describeToday({operation, appliedToday}: Pick<RunReport, 'operation' | 'appliedToday'>): string[] {
  if (appliedToday === undefined) return []
  const {command, words} = writeOperation(operation)
  const count = `${thousands(appliedToday)} ${appliedToday === 1 ? words.noun : words.nouns}`
  return [`${command} today (UTC): ${count} by runs of this user; the service has a daily limit of its own for it.`]
}

function toLine({file, lines, names, code, message}: SetNote, layout: Layout | undefined): string {
  const place = names ? spanOfNames(file, names) : spanPlace({file, layout}, lines)
  return [place, cutText(code), cutText(message)].join(' · ')
}

function more(count: number, what: string): string {
  return count > linesShown ? `… and ${thousands(count - linesShown)} more ${what} (all of them with --json)` : ''
}

/** Sentence about rows that count as applied by changes that may be another person's. */
export function describeEqualChanges({equalChanges: count = 0}: Pick<RunReport, 'equalChanges'>): string {
  if (count === 0) return ''
  const [counts, change] = count === 1 ? ['counts', 'a change'] : ['count', 'changes']
  return `${counted(count, 'row')} ${counts} as applied by ${change} of the same size, which could be another person's.`
}

function describeNew({plan, changes}: RunReport): string {
  if (plan.created === undefined) return ''
  return `Of the applied rows, ${thousands(changes.created)} made new records, and ${thousands(changes.updated)} changed existing ones.`
}

function describeRolledBack(count: number): string {
  if (count === 0) return ''
  const [were, their] = count === 1 ? ['was', 'its'] : ['were', 'their']
  return `${counted(count, 'correct row')} ${were} rolled back with ${their} set.`
}

/** `alerts:4001–4002` */
function spanOfNames(file: string, names: readonly string[]): string {
  return `${file}:${[...new Set(names)].join('–')}`
}

/** Rows of sets that were never sent, by the reason. */
function describeNotSent({file, layout, outcomes, operation, input}: RunReport): string[] {
  const isNamed = input === undefined && isWriteId(operation) && writeOperation(operation).body === 'none'
  const placeOf = (...[first, last = first]: (RowOutcome | undefined)[]) =>
    isNamed
      ? spanOfNames(file, [idText(first?.id ?? first?.line), idText(last?.id ?? last?.line)])
      : spanPlace({file, layout}, [first?.line ?? 0, last?.line ?? 0])
  const unsent = outcomes.filter(({code}) => code === 'NOT_SENT' || code === 'CONTINUED')
  return [...Map.groupBy(unsent, ({message = 'the run had stopped'}) => message)].map(
    ([why, rows]) => `not sent: ${counted(rows.length, 'row')}, ${placeOf(rows.at(0), rows.at(-1))}: ${why}`,
  )
}

/** The hints of the entries of a report, each once. */
export function hintsOf(entries: RunReport['entries']): string[] {
  return [...new Set(entries.flatMap(({hint}) => hint?.split('\n') ?? []))]
}

/** The command that continues the run, unless a hint names it. */
function describeNext(report: RunReport, hints: readonly string[]): string {
  const next = nextStepOfReport(report) ?? stepOfStopped(report)
  const isSaid = hints.some((hint) => next?.command !== undefined && hint.includes(next.command))
  return next && !isSaid ? `→ ${nextStepText(next)}` : ''
}

/** `480 selections were sent with the count that was read at most 0.4 s before.` */
function describeLive({operation, live}: RunReport): string {
  const {rows = 0, milliseconds = 0, fields = []} = live ?? {}
  const records = counted(rows, writeOperation(operation).words.noun)
  const was = rows === 1 ? 'was' : 'were'
  const seconds = (Math.ceil(milliseconds / 100) / 10).toFixed(1)
  return `${records} ${was} sent with the ${fields.join(', ')} that was read at most ${seconds} s before.`
}

function changedWords({rows, exit, sentAgain, sentEarlier}: RunReport): string {
  const doubtful = 'It is not known whether the rows in doubt were applied.'
  if (rows.inDoubt > 0) return sentAgain ? doubtful : `${doubtful} They were not sent again.`
  if (rows.applied > 0 && exit !== 'ok') return 'The applied rows stay; nothing else was changed.'
  if (rows.applied > 0 || exit === 'ok') return ''
  return sentEarlier ? 'Nothing else was changed.' : 'Nothing was changed.'
}

/** The report as data: what became of each row. */
export function toBulkData(report: Omit<RunReport, 'plan'>): JsonValue {
  const {operation, file, dryRun, sets, outcomes, live, pickUp, appliedToday, equalChanges, ...more} = report
  const rows = outcomes.map(defined)
  const sent = live && {fields: [...live.fields], records: live.rows, oldestMilliseconds: Math.ceil(live.milliseconds)}
  return {
    operation,
    file,
    dryRun,
    sets,
    rows,
    ...placesData(more),
    ...(sent && {live: sent}),
    ...(pickUp && {pickUp}),
    ...defined({appliedToday, equalChanges}),
  }
}
