import {exitCodeOf, isExitName, writeOperation} from '../../contract/index.js'
import {toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {createCut} from '../../core/text-width.js'
import {explain} from '../../derive/explain.js'
import type {TextCell, TextPage, TextSection, TextTable} from '../../formats/write/html/text-page.js'
import {version} from '../../http/version.js'
import type {RunFacts} from '../../runs/journal/journal-entries.js'
import {nextStepOf, nextStepOfReport} from '../../runs/report/next-step.js'
import type {RefusedRow, RunReport} from '../../runs/report/report.js'
import {describeRecord, isInDoubt} from '../../runs/report/run-account.js'
import {type Fate, fateNames} from '../../runs/rows/phases.js'
import {nameOf} from '../../runs/rows/row-content.js'
import {counted, thousands} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import {placeIn, placeText, spanPlace} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {toIso} from '../read/own-columns.js'
import {type DiffLine, describeSums, toDiffCells, toDiffLines, toWords} from './diff-view.js'
import {nextOf, type RunAccount, toTimeline} from './kept-run.js'
import {refusedCells} from './render-report.js'

/** What the page about a run is made of. */
export type RunOnPage = {
  report: RunReport
  facts: Pick<RunFacts, 'command' | 'file'> & Partial<RunFacts>
  /** Of a run that has a journal. */
  account?: RunAccount
  /** The run has just ended, and the report is its own. */
  isNew?: boolean
  now: number
}

/** Rows of all tables of a page; the results have the others. */
const mostRows = 5_000
/** GitHub takes a summary of 1 MiB for a step. */
export const mostBytes = 1_000_000
const mostEvents = 200
const fieldsShown = 8
const longestCell = 100
const cut = createCut()

/** What a run did, or would do, for whoever did not type it: figures that add up, rows, reasons, and what to do next. */
export function toRunPage(run: RunOnPage): TextPage {
  const {report, now, account} = run
  const room = {rows: mostRows}
  return {
    title: titleOf(run),
    facts: toFacts(run).filter((fact): fact is [string, string] => fact[1] !== undefined),
    tiles: toTiles(report.rows),
    sections: [
      ...nextSection(run),
      ...refusedSection(run, room),
      ...doubtSection(run, room),
      ...rolledBackSection(run, room),
      ...unsentSection(run),
      ...changedSection(run, room),
      ...(account ? [timelineSection(run, account, {rows: mostEvents})] : []),
    ],
    footer: [`vendorctl ${version()}, ${toIso(now)}`],
  }
}

function titleOf({report, facts}: RunOnPage): string {
  const {applied} = report.rows
  const all = Object.values(report.rows).reduce((sum, count) => sum + count, 0)
  const what = report.dryRun ? 'a dry run, nothing was sent' : `${thousands(applied)} of ${counted(all, 'row')} applied`
  return `${facts.command}: ${what}`
}

function toFacts({report, facts, account, isNew = false}: RunOnPage): [string, string | undefined][] {
  const {id, user, host, profile, stage, baseUrl, keyFingerprint, createdAt, inputDigest, planDigest} = facts
  const {undoes, undoneBy = [], continues = [], continuedBy} = facts
  const {outcome} = account?.summary ?? {}
  const exit = isNew ? report.exit : (outcome?.exit ?? report.exit)
  const known = {continues, 'continued by': [continuedBy], undoes: [undoes], 'undone by': undoneBy}
  return [
    ['run', id],
    ['by', user === undefined ? undefined : `${user} on ${host}`],
    ['started', createdAt === undefined ? undefined : toTimeText(createdAt)],
    ['ended', outcome && toTimeText(outcome.endedAt)],
    ['result', isExitName(exit) ? `${exit} (exit code ${exitCodeOf(exit).code})` : exit],
    ['from', facts.file],
    ['SHA-256 of the file', inputDigest],
    ['SHA-256 of the plan', planDigest],
    ['service', baseUrl && `${baseUrl} (${stage}), profile ${profile}, key ${keyFingerprint}`],
    ['requests', outcome && thousands(outcome.requests)],
    ...Object.entries(known).map(([name, ids]): [string, string | undefined] => [name, ids.join(', ') || undefined]),
  ]
}

export const fateWords: Readonly<Record<Fate, string>> = {
  applied: 'Applied',
  refused: 'Refused',
  rolledBack: 'Rolled back',
  inDoubt: 'In doubt',
  unsent: 'Not sent',
  unchanged: 'Unchanged',
}

function toTiles(rows: RunReport['rows']) {
  const all = fateNames.reduce((sum, fate) => sum + rows[fate], 0)
  const tiles = fateNames.map((fate) => ({name: fateWords[fate], value: thousands(rows[fate])}))
  return [{name: 'Rows', value: thousands(all), note: 'the sum of the others', isMain: true}, ...tiles]
}

function nextSection({report, account, isNew = false}: RunOnPage): TextSection[] {
  const {runId = '', rows, exit} = report
  if (!account) return []
  const known = isNew ? (nextStepOfReport(report) ?? nextStepOf('done', runId, {...rows, exit})) : nextOf(account)
  const {text, command} = known
  return [{title: 'What to do next', texts: [text], ...(command && {command}), isAlarm: report.exit !== 'ok'}]
}

type Room = {rows: number}

/** A table of as many items as there is room for on the page. */
function toTable<Item>(
  {caption, what, all, columns}: Pick<TextTable, 'caption' | 'what' | 'all'> & {columns: readonly string[]},
  items: readonly Item[],
  room: Room,
  toCells: (item: Item) => readonly TextCell[],
): TextTable {
  const shown = items.slice(0, room.rows)
  room.rows -= shown.length
  return {
    ...{caption, what, all, columns: columns.map((name) => ({name})), left: items.length - shown.length},
    rows: shown.map((item) => toCells(item).map((cell) => (typeof cell === 'string' ? cut(cell, longestCell) : cell))),
  }
}

/** The command that lists all rows of a fate. */
function rowsOf({facts}: RunOnPage, fate: Fate): string | undefined {
  return facts.id && commandLine('runs results', [facts.id], {where: `_fate=${fate}`})
}

function refusedSection(run: RunOnPage, room: Room): TextSection[] {
  const {refusals, layout} = run.report
  if (refusals.length === 0) return []
  const tables = [...Map.groupBy(refusals, ({code}) => code)].map(([code, those]) => {
    const {meaning = 'The service gave this code, which vendorctl does not know.', hint = 'Read the message.'} =
      explain(code).found.find((known) => known.code === code) ?? {}
    const caption = `${code}, ${counted(those.length, 'refusal')}. ${meaning} What to do: ${hint}`
    const columns = ['where', 'record', 'message', 'value']
    return toTable(
      {caption, what: 'refusals', all: rowsOf(run, 'refused'), columns},
      those,
      room,
      (row: RefusedRow) => {
        const [where = '', _code, ...cells] = refusedCells(row, layout)
        return [where, ...cells]
      },
    )
  })
  return [{title: 'Refused', tables, isAlarm: true}]
}

function doubtSection(run: RunOnPage, room: Room): TextSection[] {
  const {report, account} = run
  const sets = account?.sets.filter(isInDoubt) ?? []
  if (report.rows.inDoubt === 0) return []
  const evidence = toTable(
    {caption: 'Why', what: 'sets', columns: ['set', 'where', 'rows', 'sent', 'what is known']},
    sets,
    room,
    ({set, lines, rows, sentAt, doubts}) => [
      ...[`${set}`, spanPlace(report, lines), thousands(rows), sentAt === null ? '' : toTimeText(sentAt)],
      doubts.join('; '),
    ],
  )
  return [
    {
      title: 'In doubt',
      texts: [
        'These rows were sent, and no answer proves whether they were applied. They are never sent again blindly.',
      ],
      tables: [evidence, rowTable(run, 'inDoubt', room)],
      isAlarm: true,
    },
  ]
}

/** The rows of a fate with their records, and what `toMore` says of each. */
function rowTable(run: RunOnPage, fate: Fate, room: Room, names: string[] = [], toMore?: (place: number) => string[]) {
  const places = placesOf(run, fate)
  const all = {caption: counted(places.length, 'row'), what: 'rows', all: rowsOf(run, fate)}
  return toTable({...all, columns: ['where', 'record', ...names]}, places, room, (place) => [
    whereOf(run, place),
    recordOf(run, place),
    ...(toMore?.(place) ?? []),
  ])
}

function rolledBackSection(run: RunOnPage, room: Room): TextSection[] {
  const {refusals, layout, rows} = run.report
  if (rows.rolledBack === 0) return []
  const blamed = Map.groupBy(refusals, ({set}) => set)
  const setOf = new Map(run.account?.loaded.parts.flatMap(({set}) => set.places.map((place) => [place, set.number])))
  const toFell = (place: number) => {
    const [first, ...others] = blamed.get(setOf.get(place) ?? 0) ?? []
    if (!first) return [run.report.outcomes.at(place)?.message ?? '']
    const [where, code] = refusedCells(first, layout)
    return [`${where}: ${code}${others.length > 0 ? `, and ${thousands(others.length)} more of its set` : ''}`]
  }
  return [
    {
      title: 'Rolled back',
      texts: ['These rows are correct: they fell with a refused row of their set, and nothing of them was changed.'],
      tables: [rowTable(run, 'rolledBack', room, ['fell with'], toFell)],
    },
  ]
}

function unsentSection(run: RunOnPage): TextSection[] {
  const {outcomes, dryRun, rows} = run.report
  const unsent =
    dryRun || rows.unsent === 0 ? [] : placesOf(run, 'unsent').map((place) => ({place, outcome: outcomes.at(place)}))
  if (unsent.length === 0) return []
  const groups = [...Map.groupBy(unsent, ({outcome}) => outcome?.message ?? 'the run had stopped')]
  const columns = ['why', 'rows', 'first', 'last']
  const table = toTable({caption: 'Why', what: 'reasons', columns}, groups, {rows: mostRows}, ([why, rows]) => {
    const [first, last] = [rows[0]?.place ?? 0, rows.at(-1)?.place ?? 0]
    return [why, thousands(rows.length), whereOf(run, first), whereOf(run, last)]
  })
  return [{title: 'Not sent', tables: [table]}]
}

/** Old and new values; where the records were not read before, or are new, the values that were sent. */
function changedSection(run: RunOnPage, room: Room): TextSection[] {
  const {report, facts, account} = run
  const isMeant = report.dryRun || report.rows.applied === report.outcomes.length
  const compared = isMeant ? report.comparison : undefined
  const changes = (report.dryRun ? compared : (account ?? compared))?.changes ?? []
  const write = writeOperation(report.operation)
  const title = report.dryRun ? 'What it would change' : 'What it changed'
  if (changes.length === 0) return sentSection(run, room)
  const lines = toDiffLines(changes)
  const caption = counted(lines.length, 'change')
  const columns = ['', 'where', 'id', 'name', 'field', 'before', 'after']
  const texts = describeSums(lines, write).map((text) => `Sum of ${text} ${write.words.nouns}.`)
  const shown = (line: DiffLine) =>
    toDiffCells({...line, from: cut(line.from, longestCell), to: cut(line.to, longestCell)})
  const table = {caption, what: 'changes', columns, all: facts.id && rowsOf(run, 'applied')}
  return [{title, texts, tables: [toTable(table, lines, room, shown)]}]
}

function sentSection(run: RunOnPage, room: Room): TextSection[] {
  const places = run.account ? placesOf(run, 'applied') : []
  if (places.length === 0) return []
  const records = places.slice(0, room.rows).map((place) => sentAt(run, place))
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) => name !== 'id')
  const shown = names.slice(0, fieldsShown)
  const more = names.slice(fieldsShown)
  const table = {caption: counted(places.length, 'row'), what: 'rows', all: rowsOf(run, 'applied')}
  return [
    {
      title: 'What it sent',
      texts: more.length > 0 ? [`Without ${more.join(', ')}, which the results have.`] : [],
      tables: [
        toTable({...table, columns: ['where', 'id', ...shown]}, places, room, (place) => [
          whereOf(run, place),
          idText(run.report.outcomes.at(place)?.id),
          ...shown.map((name) => toWords(sentAt(run, place)[name] ?? '')),
        ]),
      ],
    },
  ]
}

function timelineSection({facts}: RunOnPage, account: RunAccount, room: Room): TextSection {
  const all = facts.id && commandLine('runs show', [facts.id], {verbose: true})
  const table = {caption: 'By the clock of this machine', what: 'events', all, columns: ['time', 'what']}
  return {
    title: 'Timeline',
    tables: [toTable(table, toTimeline(account), room, ({at, text}) => [toTimeText(at), text])],
  }
}

function placesOf({report}: RunOnPage, fate: Fate): number[] {
  return report.outcomes.flatMap((outcome, place) => (outcome.fate === fate ? [place] : []))
}

function sentAt({account}: RunOnPage, place: number): JsonRecord {
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
