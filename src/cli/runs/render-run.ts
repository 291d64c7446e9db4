import {exitCodeOf, isExitName, readOperation, writeOperation} from '../../contract/index.js'
import {toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {toSafeText} from '../../formats/safe-text.js'
import type {JournalEvent} from '../../runs/journal/journal-entries.js'
import {hasRefusedCanary, isInDoubt, type LoadedRun} from '../../runs/journal/load-run.js'
import type {DamagedJournal} from '../../runs/journal/open-journal.js'
import type {RunSummary} from '../../runs/journal/run-summary.js'
import {nextStepOf, nextStepText} from '../../runs/report/next-step.js'
import type {RunReport} from '../../runs/report/report.js'
import {describeRecord, type RunAccount, rowsInDoubt, type SetAccount} from '../../runs/report/run-account.js'
import {describeFates} from '../../runs/rows/phases.js'
import {counted, thousands} from '../../values/counted.js'
import {placeIn, placeText, spanPlace} from '../../values/place.js'

type Account = RunAccount & {verbose: boolean}

/** The account of a run for people: short when everything is known, a report when something is open. */
export function renderRun(account: Account): string {
  const {summary, report, sets, loaded, events, verbose} = account
  const {state, id} = summary
  const isOpen = state === 'inDoubt' || state === 'unfinished'
  const refused = report.rows.refused
  return `${[
    `Run ${id}: ${titleOf(account)}`,
    ...factsOf(account),
    `${toSafeText(loaded.facts.file)}: ${describeFates(report.rows)}`,
    ...(isOpen && sets.length > 0 ? ['', renderRunReport(account)] : [countSets(account)]),
    ...(verbose ? ['', 'Events', ...events.map(toLine)] : []),
    ...(isOpen ? [] : [`→ ${nextStepText(nextStepOf(state, id, {refused, exit: report.exit}))}`]),
  ].join('\n')}\n`
}

function titleOf({summary, report, loaded}: Account): string {
  const {inDoubt, unsent} = report.rows
  const {state} = summary
  const all = thousands(loaded.facts.rows)
  if (state === 'running') return `another process is working on it${ownerOf(summary)}.`
  if (state === 'inDoubt') return `${thousands(inDoubt)} of ${all} rows ${inDoubt === 1 ? 'is' : 'are'} in doubt.`
  if (state === 'unfinished')
    return `not finished; ${thousands(unsent)} of ${all} rows ${unsent === 1 ? 'was' : 'were'} not sent, and none is in doubt.`
  return 'nothing is open.'
}

function ownerOf({owner}: RunSummary): string {
  return owner ? ` (pid ${owner.pid} on ${owner.host}, since ${toTimeText(owner.since)})` : ''
}

function factsOf({loaded, summary}: Account): string[] {
  const {facts} = loaded
  const {command, profile, stage, baseUrl, keyFingerprint, createdAt, continues = [], undoes, continuedBy} = facts
  const {exported, undoneBy = []} = facts
  return [
    `${command} from ${facts.file}, profile ${profile}, ${baseUrl} (${stage}), key ${keyFingerprint}`,
    `started ${toTimeText(createdAt)}${endOf(summary)}`,
    ...(exported === undefined ? [] : [`exported to another machine ${toTimeText(exported)}`]),
    ...(continues.length > 0 ? [`continues ${continues.join(', ')}`] : []),
    ...(continuedBy === undefined ? [] : [`continued by ${continuedBy}`]),
    ...(undoes === undefined ? [] : [`undoes ${undoes}`]),
    ...(undoneBy.length > 0 ? [`undone by ${undoneBy.join(', ')}`] : []),
  ].map(toSafeText)
}

function endOf({outcome, facts}: RunSummary): string {
  if (!outcome) return '; its outcome was not recorded'
  const {endedAt, exit, requests} = outcome
  const seconds = ((endedAt - (facts?.createdAt ?? endedAt)) / 1000).toFixed(1)
  const code = isExitName(exit) ? ` (exit ${exitCodeOf(exit).code})` : ''
  return `, ended after ${seconds} s: ${exit}${code}, ${counted(requests, 'request')}`
}

function countSets({sets}: Account): string {
  const byState = Map.groupBy(sets, ({state}) => state)
  const counts = [...byState].map(([state, same]) => `${state} ${same.length}`).join(' · ')
  return `sets: ${counts}`
}

function toLine({at, part, from, to, why}: JournalEvent): string {
  const change = from === null || from === to ? to : `${from} → ${to}`
  return toSafeText(`  ${toTimeText(at)}  ${part === null ? '' : `part ${part}  `}${change}: ${why}`)
}

export type RunReportData = {
  loaded: LoadedRun
  sets: readonly SetAccount[]
  report: Pick<RunReport, 'rows'> & Partial<Pick<RunReport, 'exit'>>
}

const rowsShown = 10
const groupsShown = 20

/** The report of an open run: known and unknown fates, and what to do about them. */
export function renderRunReport(run: RunReportData): string {
  const {sets, report} = run
  const doubt = sets.some(isInDoubt)
  return [
    'What happened',
    ...indent(describeSets(run)),
    '',
    'What is known',
    ...indent([describeFates(report.rows, 'inDoubt')]),
    ...(doubt ? ['', 'What is not known', ...indent(notKnown(run))] : []),
    '',
    'What to do now',
    ...indent(doubt ? resolveDoubt(run) : sendRest(run)),
    '',
    'What happens if you do nothing',
    ...indent(ifNothing(run, doubt)),
  ].join('\n')
}

/** Neighbouring sets with the same fate share a line; sets in doubt are always shown. */
function describeSets(run: RunReportData): string[] {
  const groups = groupAlike(run.sets)
  const shown = groups.filter(([set], place) => place < groupsShown || (set && isInDoubt(set)))
  const hidden = run.sets.length - shown.slice(0, 2 * groupsShown).flat().length
  return [
    ...shown.slice(0, 2 * groupsShown).flatMap((sets) => describeGroup(run, sets)),
    ...(hidden > 0 ? [`… and ${counted(hidden, 'set')} more (all of them with --json)`] : []),
  ]
}

function groupAlike(sets: readonly SetAccount[]): SetAccount[][] {
  const groups: SetAccount[][] = []
  for (const set of sets) {
    const last = groups.at(-1)?.at(-1)
    if (last && isAlike(last, set)) groups.at(-1)?.push(set)
    else groups.push([set])
  }

  return groups
}

/** Sets that were answered as applied or never sent need no line of their own. */
function isAlike(one: SetAccount, other: SetAccount): boolean {
  const isPlain = ({part, state, how, sentAt}: SetAccount) =>
    part === null && ((state === 'confirmed' && how === 'answer') || (state === 'planned' && sentAt === null))
  return isPlain(one) && isPlain(other) && one.state === other.state
}

function describeGroup({loaded}: RunReportData, sets: readonly SetAccount[]): string[] {
  const [first, last] = [sets.at(0), sets.at(-1)]
  if (!first || !last) return []
  const which = first === last ? `set ${first.set}` : `sets ${first.set}–${last.set}`
  const place = spanPlace(loaded.facts, [first.lines[0], last.lines[1]])
  const time = first.sentAt === null ? '' : `, sent ${first === last ? '' : 'from '}${toTimeText(first.sentAt)}`
  return [
    `${first.part === null ? '' : 'part of '}${which}, ${place}: ${fateOf(first)}${time}`,
    ...reasonsOf(first).map((reason) => `  ${reason}`),
  ].map(toSafeText)
}

const fates = {
  confirmed: 'applied',
  rejected: 'refused',
  closed: 'closed',
  sent: 'in doubt',
  inDoubt: 'in doubt',
} as const

function fateOf({state, how, sentAt}: SetAccount): string {
  if (state === 'planned') return sentAt === null ? 'not sent' : 'proven not applied'
  return `${fates[state]}${how === null || how === 'answer' || isInDoubt({state}) ? '' : ` (known by ${how})`}`
}

function reasonsOf(set: SetAccount): string[] {
  if (isInDoubt(set)) return set.doubts
  const isPlain = isAlike(set, set)
  return isPlain || set.why === '' ? [] : [set.why]
}

function notKnown({loaded}: RunReportData): string[] {
  const {plan, facts} = loaded
  const rows = rowsInDoubt(loaded)
  const what =
    rows.length === 1
      ? 'this row was applied. It was sent, and no answer proves anything about it:'
      : `these ${thousands(rows.length)} rows were applied. They were sent, and no answer proves it:`
  return [
    `Whether ${what}`,
    ...rows
      .slice(0, rowsShown)
      .map(({line, record}) =>
        toSafeText(`  ${placeText(placeIn(facts, line))}  ${describeRecord(plan.operation, record)}`),
      ),
    ...(rows.length > rowsShown
      ? [`  … all of them: ${commandLine('runs results', [facts.id], {where: '_fate=inDoubt'})}`]
      : []),
  ]
}

function resolveDoubt({loaded, sets}: RunReportData): string[] {
  const {id, operation} = loaded.facts
  const {probe} = writeOperation(loaded.plan.operation)
  const how =
    'read' in probe
      ? `It reads the records back (${readOperation(probe.read).command}) and compares them with what was sent.`
      : 'It sends the same set again: what already exists is refused, so nothing is doubled.'
  const hasRest = sets.some(({state}) => state === 'planned')
  return [
    `1. ${commandLine('runs reconcile', [id])}`,
    `   ${how}`,
    ...(hasRest ? [`2. ${commandLine('runs resume', [id])}`, '   It sends the sets that were not sent.'] : []),
    'If you have checked the records yourself, say what you found:',
    `   ${commandLine('runs reconcile', [id], {assume: 'applied'})}`,
    `   ${commandLine('runs reconcile', [id], {assume: 'not-applied'})}`,
    `Do not send these rows with another ${operation.replaceAll('.', ' ')} before that.`,
  ]
}

function sendRest({loaded}: RunReportData): string[] {
  if (hasRefusedCanary(loaded))
    return [
      'Its first rows (--canary) were refused, so runs resume sends none of the others.',
      'Fix them and run the same command again. What was refused:',
      `  ${commandLine('runs results', [loaded.facts.id])}`,
    ]
  return [commandLine('runs resume', [loaded.facts.id]), '  It sends the sets that were not sent, and no other row.']
}

function ifNothing({loaded, report}: RunReportData, doubt: boolean): string[] {
  const {file} = loaded.facts
  const {unsent} = report.rows
  return [
    'Nothing is sent by itself, and this journal is kept.',
    ...(doubt ? ['The rows in doubt stay as they are at the service, applied or not.'] : []),
    ...(unsent > 0 ? [`${counted(unsent, 'row')} ${unsent === 1 ? 'stays' : 'stay'} unsent.`] : []),
    ...(doubt ? [toSafeText(`Whoever sends ${file} from elsewhere may write the rows in doubt a second time.`)] : []),
  ]
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

/** Readable parts of a damaged journal, for people. */
export function renderDamaged(id: string, {facts, outcome, parts, isComplete}: DamagedJournal): string {
  const what =
    facts && `${facts.command} from ${facts.file}, profile ${facts.profile}, started ${toTimeText(facts.createdAt)}`
  const rows = Object.entries(outcome?.rows ?? {}).map(([fate, count]) => `${fate} ${count}`)
  return `${[
    `Run ${id}: its journal is damaged. This much can still be read, unproven:`,
    toSafeText(what ?? 'Its command and file cannot be read.'),
    outcome ? `Outcome: ${outcome.exit}, ${rows.join(' · ')}` : 'Its outcome cannot be read.',
    ...parts.map(({set, rows, state}) => `  set ${set}, ${counted(rows, 'row')}: ${state}`),
    ...(isComplete ? [] : ['  … further sets cannot be read.']),
    'Read the records back from the service to see which rows were applied: this journal cannot prove it.',
    `When you know, set it aside: ${commandLine('runs remove', [id], {damaged: true})}`,
  ].join('\n')}\n`
}
