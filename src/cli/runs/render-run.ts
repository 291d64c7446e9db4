import {exitCodeOf, isExitName} from '../../contract/index.js'
import {toTimeText} from '../../core/clock.js'
import {toSafeText} from '../../formats/safe-text.js'
import type {JournalEvent} from '../../runs/journal/journal-entries.js'
import type {RunSummary} from '../../runs/journal/run-summary.js'
import {nextStepOf, nextStepText} from '../../runs/report/next-step.js'
import {describeFates} from '../../runs/rows/phases.js'
import {counted} from '../../values/counted.js'
import {thousands} from '../../values/thousands.js'
import {type RunReportData, renderRunReport} from './render-run-report.js'

export type Account = RunReportData & {summary: RunSummary; events: readonly JournalEvent[]; verbose: boolean}

/** The account of a run for people: short when everything is known, a report when something is open. */
export function renderRun(account: Account): string {
  const {summary, report, sets, loaded, events, verbose} = account
  const {state, id} = summary
  const isOpen = state === 'inDoubt' || state === 'unfinished' || state === 'exported'
  const refused = report.rows.refused
  return `${[
    `Run ${id}: ${titleOf(account)}`,
    ...factsOf(account),
    `${toSafeText(loaded.facts.file)}: ${describeFates(report.rows)}`,
    ...(isOpen && sets.length > 0
      ? ['', renderRunReport({...account, isElsewhere: state === 'exported'})]
      : [countSets(account)]),
    ...(verbose ? ['', 'Events', ...events.map(toLine)] : []),
    ...(isOpen ? [] : [`→ ${nextStepText(nextStepOf(state, id, {refused, exit: report.exit}))}`]),
  ].join('\n')}\n`
}

function titleOf({summary, report, loaded}: Account): string {
  const {inDoubt, unsent} = report.rows
  const all = thousands(loaded.facts.rows)
  switch (summary.state) {
    case 'running':
      return `another process is working on it${ownerOf(summary)}.`
    case 'inDoubt':
      return `${thousands(inDoubt)} of ${all} rows ${inDoubt === 1 ? 'is' : 'are'} in doubt.`
    case 'unfinished':
      return `not finished; ${thousands(unsent)} of ${all} rows ${unsent === 1 ? 'was' : 'were'} not sent, and none is in doubt.`
    case 'exported':
      return 'exported to another machine, which may have resumed it. Its state here is that of the export.'
    default:
      return 'nothing is open.'
  }
}

function ownerOf({owner}: RunSummary): string {
  return owner ? ` (pid ${owner.pid} on ${owner.host}, since ${toTimeText(owner.since)})` : ''
}

function factsOf({loaded, summary}: Account): string[] {
  const {facts} = loaded
  const {command, profile, stage, baseUrl, keyFingerprint, createdAt, continues = [], undoes, continuedBy} = facts
  const {undoneBy = []} = facts as {undoneBy?: string[]}
  const {exported, imported} = facts
  const handedOver = summary.state === 'done' ? 'a copy was exported' : 'exported'
  return [
    `${command} from ${facts.file}, profile ${profile}, ${baseUrl} (${stage}), key ${keyFingerprint}`,
    `started ${toTimeText(createdAt)}${endOf(summary)}`,
    ...(exported === undefined ? [] : [`${handedOver} ${toTimeText(exported)}`]),
    ...(imported === undefined ? [] : [`imported ${toTimeText(imported)}`]),
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
