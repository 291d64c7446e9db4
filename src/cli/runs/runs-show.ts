import {toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, toEntries} from '../../core/errors.js'
import {toSafeText} from '../../formats/safe-text.js'
import {hasRefusedCanary, loadRun} from '../../runs/journal/load-run.js'
import {type DamagedJournal, readDamaged, readJournal} from '../../runs/journal/open-journal.js'
import {type RunFolder, runPath} from '../../runs/journal/run-folder.js'
import {readSummary} from '../../runs/journal/run-summary.js'
import {nextStepOf, nextStepText} from '../../runs/report/next-step.js'
import {reportOfRun} from '../../runs/report/report-of-run.js'
import {accountOfSets} from '../../runs/report/run-account.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {Presented} from '../app/command-context.js'
import {keepMemoryFlatFor} from '../read/flat-memory.js'
import {toIso} from '../read/own-columns.js'
import {foldFor} from '../terminal/fold-text.js'
import {findRun, systemTimes} from '../write/find-run.js'
import {findOther, showOther} from './other-runs.js'
import {type Account, renderRun} from './render-run.js'
import {fatesOf} from './runs-list.js'

/** What a run did and what to do next. Throws `usage`, `unsafe`, or `storage` for a journal of a later version. */
export function showRun(folder: RunFolder, text: string, {verbose = false}: {verbose?: boolean}): Presented {
  const other = findOther(folder, text)
  if (other) return showOther(other)
  const id = findRun(folder, text)
  keepMemoryFlatFor(runPath(folder, id))
  try {
    const account = readAccount(folder, id, {verbose})
    return {data: toAccountData(account, folder), text: foldFor(process.stdout, renderRun(account)), runId: id}
  } catch (error) {
    if (!(error instanceof CliFailure) || error.code !== 'STATE_DAMAGED') throw error
    const found = readDamaged(folder, id)
    const {facts, outcome = null, ...parts} = found
    const data = {id, state: 'damaged', ...facts, outcome, ...parts} as unknown as JsonValue
    return {data, text: renderDamaged(id, found), exit: 'storage', errors: toEntries(error), runId: id}
  }
}

/** What can still be read of a damaged journal, for people. */
function renderDamaged(id: string, {facts, outcome, parts, isComplete}: DamagedJournal): string {
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

/** Reads the complete journal of a run. Throws `storage` when it is damaged or of a later version. */
function readAccount(folder: RunFolder, id: string, {verbose}: {verbose: boolean}): Account {
  const summary = readSummary(folder, id)
  const journal = readJournal(folder, id, systemTimes, {isChecked: true})
  try {
    const loaded = loadRun(journal)
    const events = journal.events()
    const report = reportOfRun(loaded)
    if (!summary) throw new TypeError('a journal without a run')
    return {summary, loaded, events, verbose, sets: accountOfSets(loaded, events), report}
  } finally {
    journal.close()
  }
}

/** The same as data. */
function toAccountData({summary, loaded, sets, events, report}: Account, folder: RunFolder): JsonValue {
  const {facts} = loaded
  const {id, state, outcome} = summary
  const timed = sets.map(({sentAt, changedAt, ...set}) => ({
    ...set,
    sentAt: toTime(sentAt),
    changedAt: toTime(changedAt),
  }))
  return {
    id,
    state,
    ...(facts as unknown as JsonRecord),
    rows: {...(state === 'running' ? fatesOf(summary, folder) : report.rows)},
    createdAt: toIso(facts.createdAt),
    outcome: outcome ? {...(outcome as unknown as JsonRecord), endedAt: toIso(outcome.endedAt)} : null,
    owner: summary.owner ? {...summary.owner, since: toIso(summary.owner.since)} : null,
    sets: timed as unknown as JsonValue,
    events: events.map((event) => ({...event, at: toIso(event.at)})) as unknown as JsonValue,
    next: nextStepText(
      nextStepOf(state, id, {...report.rows, isKeptBack: hasRefusedCanary(loaded), exit: report.exit}),
    ),
  }
}

function toTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : toIso(milliseconds)
}
