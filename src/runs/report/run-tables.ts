import {writeOperation} from '../../contract/index.js'
import {toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {createCut} from '../../core/text-width.js'
import {explain} from '../../derive/explain.js'
import type {TextCell, TextSection, TextTable} from '../../formats/write/html/text-page.js'
import {counted, thousands} from '../../values/counted.js'
import {beginningOf} from '../../values/message-text.js'
import {type Layout, placeIn, placeText, spanPlace} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {type DiffLine, describeSums, toDiffCells, toDiffLines, toShown} from '../plan/plan-view.js'
import type {Fate} from '../rows/phases.js'
import {nameOf} from '../rows/row-content.js'
import type {RefusedRow, RunReport} from './report.js'
import {describeRecord, type RunAccount, type SetAccount, type TimelineEntry, toTimeline} from './run-account.js'

type RunFacts = RunAccount['loaded']['facts']

/** Input of the page about a run. */
export type RunOnPage = {
  report: RunReport
  facts: Pick<RunFacts, 'command' | 'file'> & Partial<RunFacts>
  /** The one run that the rows belong to. */
  account?: RunAccount
  /** All runs of the command that have a journal, in their order: an undo of updates and creations has two. */
  runs: readonly RunAccount[]
  /** The run has just ended, and the report is its own. */
  isNew?: boolean
  now: number
}

/** Rows of all tables of a page; the results have the others. */
export const mostRows = 5_000
const mostEvents = 200
const fieldsShown = 8
const longestCell = 100
const cut = createCut()

/** Rows for which a page still has room. */
export type Room = {rows: number}

type Listing<Item> = Pick<TextTable, 'caption' | 'what' | 'all'> & {
  columns: readonly string[]
  items: readonly Item[]
  toCells: (item: Item) => readonly TextCell[]
}

/** A table of as many items as there is room for on the page. */
function toTable<Item>({columns, items, toCells, ...table}: Listing<Item>, room: Room): TextTable {
  const shown = items.slice(0, room.rows)
  room.rows -= shown.length
  const toShort = (cell: TextCell) => (typeof cell === 'string' ? cut(cell, longestCell) : cell)
  const rows = shown.map((item) => toCells(item).map(toShort))
  return {...table, columns: columns.map((name) => ({name})), rows, left: items.length - shown.length}
}

/** The command that lists all rows of a fate. */
function rowsOf({account}: RunOnPage, fate: Fate): string | undefined {
  return account && commandLine('runs results', [account.summary.id], {where: `_fate=${fate}`})
}

export function refusedTables(run: RunOnPage, room: Room): TextTable[] {
  const {refusals, layout} = run.report
  return [...Map.groupBy(refusals, ({code}) => code)].map(([code, items]) => {
    const {meaning = 'The service gave this code, which vendorctl does not know.', hint = 'Read the message.'} =
      explain(code).found.find((known) => known.code === code) ?? {}
    const caption = `${code}, ${counted(items.length, 'refusal')}. ${meaning} What to do: ${hint}`
    const columns = ['where', 'record', 'message', 'value']
    const toCells = (row: RefusedRow) => refusedCells(row, layout).filter((_, place) => place !== 1) // without the code
    return toTable({caption, what: 'refusals', all: rowsOf(run, 'refused'), columns, items, toCells}, room)
  })
}

export function evidenceTable({report, account}: RunOnPage, room: Room): TextTable {
  const toCells = ({set, lines, rows, sentAt, doubts}: SetAccount) => [
    ...[`${set}`, spanPlace(report, lines), thousands(rows), sentAt === null ? '' : toTimeText(sentAt)],
    doubts.join('; '),
  ]
  const caption = 'Sent, and no answer proves whether they were applied. They are never sent again blindly.'
  const columns = ['set', 'where', 'rows', 'sent', 'what is known']
  return toTable(
    {caption, what: 'sets', columns, items: account?.sets.filter(({doubts}) => doubts.length > 0) ?? [], toCells},
    room,
  )
}

type Extra = {caption?: string; columns?: readonly string[]; toMore?: (place: number) => string[]}

/** The rows of a fate with their records, and what `toMore` says of each. */
export function rowTable(
  run: RunOnPage,
  fate: Fate,
  room: Room,
  {caption, columns = [], toMore}: Extra = {},
): TextTable {
  const items = placesOf(run, fate)
  const toCells = (place: number) => [whereOf(run, place), recordOf(run, place), ...(toMore?.(place) ?? [])]
  const about = {caption: caption ?? counted(items.length, 'row'), what: 'rows', all: rowsOf(run, fate)}
  return toTable({...about, columns: ['where', 'record', ...columns], items, toCells}, room)
}

export function rolledBackTable(run: RunOnPage, room: Room): TextTable {
  const {refusals, layout, outcomes} = run.report
  const blamed = Map.groupBy(refusals, ({set}) => set)
  const setOf = new Map(run.account?.loaded.parts.flatMap(({set}) => set.places.map((place) => [place, set.number])))
  const toMore = (place: number) => {
    const [first, ...others] = blamed.get(setOf.get(place) ?? 0) ?? []
    if (!first) return [outcomes.at(place)?.message ?? '']
    const [where, code] = refusedCells(first, layout)
    return [`${where}: ${code}${others.length > 0 ? `, and ${thousands(others.length)} more of its set` : ''}`]
  }
  const caption = 'Correct rows that fell with a refused row of their set. Nothing of them was changed.'
  return rowTable(run, 'rolledBack', room, {caption, columns: ['fell with'], toMore})
}

export function unsentTable(run: RunOnPage): TextTable {
  const whyOf = (place: number) => run.report.outcomes.at(place)?.message ?? 'the run had stopped'
  const items = [...Map.groupBy(placesOf(run, 'unsent'), whyOf)]
  const toCells = ([why, places]: [string, number[]]) => [
    ...[why, thousands(places.length), whereOf(run, places[0] ?? 0), whereOf(run, places.at(-1) ?? 0)],
  ]
  const columns = ['why', 'rows', 'first', 'last']
  return toTable({caption: 'Reasons', what: 'reasons', columns, items, toCells}, {rows: mostRows})
}

/** Old and new values; where the records were not read before, or are new, the values that were sent. */
export function changedSection(run: RunOnPage, room: Room): TextSection {
  const {report, account} = run
  const isMeant = report.dryRun || report.rows.applied === report.outcomes.length
  const compared = isMeant ? report.comparison : undefined
  const items = toDiffLines((report.dryRun ? compared : (account ?? compared))?.changes ?? [])
  const write = writeOperation(report.operation)
  const toCells = (line: DiffLine) =>
    toDiffCells({...line, from: cut(line.from, longestCell), to: cut(line.to, longestCell)})
  if (items.length === 0) return {title: 'What it sent', tables: account ? [sentTable(run, room)] : []}
  const columns = ['', 'where', 'id', 'name', 'field', 'before', 'after']
  const table = {caption: counted(items.length, 'change'), what: 'changes', all: rowsOf(run, 'applied'), columns}
  return {
    title: report.dryRun ? 'What it would change' : 'What it changed',
    texts: describeSums(items, write).map((text) => `Sum of ${text}.`),
    tables: [toTable({...table, items, toCells}, room)],
  }
}

function sentTable(run: RunOnPage, room: Room): TextTable {
  const items = placesOf(run, 'applied')
  const records = items.slice(0, room.rows).map((place) => sentAt(run, place))
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) => name !== 'id')
  const [shown, more] = [names.slice(0, fieldsShown), names.slice(fieldsShown)]
  const caption = `${counted(items.length, 'row')}${more.length > 0 ? `, without ${more.join(', ')}` : ''}`
  const toCells = (place: number) => [
    ...[whereOf(run, place), idText(run.report.outcomes.at(place)?.id)],
    ...shown.map((name) => toShown(sentAt(run, place)[name] ?? '')),
  ]
  const columns = ['where', 'id', ...shown]
  return toTable({caption, what: 'rows', all: rowsOf(run, 'applied'), columns, items, toCells}, room)
}

export function timelineTable(account: RunAccount, isNamed: boolean): TextTable {
  const {facts, plan} = account.loaded
  const {verb, nouns} = writeOperation(plan.operation).words
  const all = commandLine('runs show', [facts.id], {verbose: true})
  const caption = `${isNamed ? `${verb} ${nouns}: run ${facts.id}, by` : 'By'} the clock of this machine`
  const table = {caption, what: 'events', all, columns: ['time', 'what']}
  const toCells = ({at, text}: TimelineEntry) => [toTimeText(at), text]
  return toTable({...table, items: toTimeline(account), toCells}, {rows: mostEvents})
}

function placesOf({report}: RunOnPage, fate: Fate): number[] {
  return report.outcomes.flatMap((outcome, place) => (outcome.fate === fate ? [place] : []))
}

function sentAt({account}: RunOnPage, place: number) {
  const {record = {}, given} = account?.loaded.plan.rows.at(place) ?? {}
  return given ?? record
}

/** A row by its record where no file has it, else by its line. */
function whereOf({report, facts, account}: RunOnPage, place: number): string {
  const {line = 0, id} = report.outcomes.at(place) ?? {}
  const isOfFile = report.input !== undefined || account?.loaded.plan.origin.kind === 'undo'
  if (!isOfFile && id !== undefined) return `${writeOperation(report.operation).words.noun} ${idText(id)}`
  return placeText(placeIn({...report, file: facts.file}, line))
}

function recordOf(run: RunOnPage, place: number): string {
  const record = sentAt(run, place)
  return nameOf(record).name ?? describeRecord(run.report.operation, record)
}

const longestText = 300

export const refusedHeaders = ['where', 'code', 'pointer', 'message', 'cell']

/** A refusal as cells under these headers. */
export function refusedCells(row: RefusedRow, layout: Layout | undefined): string[] {
  const {file, lines, code, pointer, message, cell} = row
  const place = lines ? spanPlace({file, layout}, lines) : placeText(row)
  const shown = lines ? `${cutText(message)} ${unplaced(pointer)}` : cutText(message)
  return [place, cutText(code), cutText(describePointer(row)), shown, cutText(cell ?? '')]
}

/** `maxChargePrice of Mill Street 4`; as the service has it where the record has no name. */
function describePointer({name, columnName, pointerName, pointer}: RefusedRow): string {
  if (name !== undefined) return columnName === undefined || columnName === 'name' ? name : `${columnName} of ${name}`
  return pointer === undefined ? '' : [pointerName, pointer].filter((part) => part !== undefined).join(' ')
}

/** The service decides how much it says; the envelope has all of it. */
export function cutText(text: string): string {
  return beginningOf(text, longestText)
}

/** Why a refusal names lines and no row. */
function unplaced(pointer: string | number | undefined): string {
  return pointer === undefined ? '(it names no row of the set)' : '(the pointer matches no row of the set)'
}
