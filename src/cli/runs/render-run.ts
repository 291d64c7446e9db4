import {exitCodeOf, isExitName} from '../../contract/index.js'
import {toTimeText} from '../../core/clock.js'
import {toSafeText} from '../../formats/safe-text.js'
import type {JournalEvent} from '../../runs/journal/journal-entries.js'
import type {RunSummary} from '../../runs/journal/run-summary.js'
import {nextStepOf, sayNextStep} from '../../runs/report/run-next-step.js'
import {fateNames} from '../../runs/send/fates.js'
import {counted} from '../../values/counted.js'
import {thousands} from '../../values/thousands.js'
import {type Letter, renderLetter} from './render-letter.js'

export type Account = Letter & {summary: RunSummary; events: readonly JournalEvent[]; verbose: boolean}

/** The account of a run for people: short when all is known, a letter when something is open. */
export function renderRun(account: Account): string {
  const {summary, report, sets, loaded, events, verbose} = account
  const {state, id} = summary
  const isOpen = state === 'inDoubt' || state === 'unfinished' || state === 'exported'
  const refused = report.rows.refused
  const fates = fateNames.map((fate) => `${fate} ${report.rows[fate]}`).join(' · ')
  return `${[
    `Run ${id}: ${titleOf(account)}`,
    ...factsOf(account),
    `${toSafeText(loaded.facts.file)}: ${fates}`,
    ...(isOpen && sets.length > 0
      ? ['', renderLetter({...account, isElsewhere: state === 'exported'})]
      : [countSets(account)]),
    ...(verbose ? ['', 'Events', ...events.map(toLine)] : []),
    ...(isOpen ? [] : [`→ ${sayNextStep(nextStepOf(state, id, {refused}))}`]),
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
      return 'given to another machine, where it may be going on. What stands here is how it was then.'
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
    ...(undoes === undefined ? [] : [`takes back ${undoes}`]),
    ...(undoneBy.length > 0 ? [`undone by ${undoneBy.join(', ')}`] : []),
  ].map(toSafeText)
}

function endOf({outcome, facts}: RunSummary): string {
  if (!outcome) return '; how it ended is not written down'
  const {endedAt, exit, requests} = outcome
  const seconds = ((endedAt - (facts?.createdAt ?? endedAt)) / 1000).toFixed(1)
  const code = isExitName(exit) ? ` (exit ${exitCodeOf(exit).code})` : ''
  return `, ended after ${seconds} s: ${exit}${code}, ${counted(requests, 'request')}`
}

function countSets({sets}: Account): string {
  const byState = Map.groupBy(sets, ({state}) => state)
  const said = [...byState].map(([state, same]) => `${state} ${same.length}`).join(' · ')
  return `sets: ${said}`
}

function toLine({at, part, from, to, why}: JournalEvent): string {
  const change = from === null || from === to ? to : `${from} → ${to}`
  return toSafeText(`  ${toTimeText(at)}  ${part === null ? '' : `part ${part}  `}${change}: ${why}`)
}
