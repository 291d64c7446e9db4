import {toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, toEntries, usage} from '../../core/errors.js'
import {toSafeText} from '../../formats/safe-text.js'
import type {TextPage} from '../../formats/write/html/text-page.js'
import {hasRefusedCanary, loadRun} from '../../runs/journal/load-run.js'
import {type DamagedJournal, readDamaged, readJournal} from '../../runs/journal/open-journal.js'
import {type RunFolder, runPath} from '../../runs/journal/run-folder.js'
import {readSummary} from '../../runs/journal/run-summary.js'
import {type NextStep, nextStepOf, nextStepText} from '../../runs/report/next-step.js'
import {reportOfRun} from '../../runs/report/report-of-run.js'
import {accountOfSets} from '../../runs/report/run-account.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {keepMemoryFlatFor} from '../read/flat-memory.js'
import {toIso} from '../read/own-columns.js'
import {presentView, type ViewFlags, viewOf} from '../read/present-view.js'
import {foldFor} from '../terminal/fold-text.js'
import {findRun, runFolderOf, systemTimes} from '../write/find-run.js'
import {findOther, showOther} from './other-runs.js'
import {type Account, renderRun} from './render-run.js'
import {mostBytes, toRunPage} from './run-page.js'
import {readChanges} from './run-timeline.js'
import {fatesOf} from './runs-list.js'

/** Ends the command with what a run did and what to do next. Throws `usage`, `unsafe`, or `storage`. */
export async function showRun(
  text: string,
  flags: ViewFlags & {verbose?: boolean | undefined},
  context: CommandContext,
): Promise<void> {
  const folder = runFolderOf(context.environment)
  const isPage = viewOf(flags) !== 'table'
  const other = findOther(folder, text)
  if (other && isPage) throw usage(`Run ${other.id} is no write; only writes have a page.`, 'Leave out -o.')
  if (other) return context.present(showOther(other))
  const id = findRun(folder, text)
  keepMemoryFlatFor(runPath(folder, id))
  try {
    const account = readAccount(folder, id, {...flags, isPage})
    const {isJson} = context
    const view = {text: () => foldFor(process.stdout, renderRun(account)), page: () => pageOf(account), mostBytes}
    const data = isJson ? toAccountData(account, folder) : null
    await presentView({...flags, isPrivate: true}, context, {data, runId: id}, view)
  } catch (error) {
    if (!(error instanceof CliFailure) || error.code !== 'STATE_DAMAGED' || isPage) throw error
    const found = readDamaged(folder, id)
    const {facts, outcome = null, ...parts} = found
    const data = {id, state: 'damaged', ...facts, outcome, ...parts} as unknown as JsonValue
    context.messages.tell(`error: ${error.message}`)
    await context.present({data, text: renderDamaged(id, found), exit: 'storage', errors: toEntries(error), runId: id})
  }
}

/** The account of a run as a page. */
export function pageOf({report, loaded, events, sets, summary, changes}: Account): TextPage {
  const {facts} = loaded
  const {outcome, state} = summary
  const kept = {loaded, events, sets, outcome, isRunning: state === 'running'}
  return toRunPage({report, facts, kept, changes, next: nextOf({summary, report, loaded}), now: systemTimes.now()})
}

function nextOf({summary: {state, id}, report, loaded}: Pick<Account, 'summary' | 'report' | 'loaded'>): NextStep {
  return nextStepOf(state, id, {...report.rows, isKeptBack: hasRefusedCanary(loaded), exit: report.exit})
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

type Reading = {verbose?: boolean | undefined; isPage: boolean}

/** Reads the complete journal of a run. Throws `storage` when it is damaged or of a later version. */
export function readAccount(folder: RunFolder, id: string, {verbose = false, isPage}: Reading): Account {
  const summary = readSummary(folder, id)
  const journal = readJournal(folder, id, systemTimes, {isChecked: true})
  try {
    const loaded = loadRun(journal)
    const events = journal.events()
    const report = reportOfRun(loaded)
    if (!summary) throw new TypeError('a journal without a run')
    const changes = isPage ? readChanges(journal, loaded, report) : []
    return {summary, loaded, events, verbose, sets: accountOfSets(loaded, events), report, changes}
  } finally {
    journal.close()
  }
}

/** The same as data. */
function toAccountData(account: Account, folder: RunFolder): JsonValue {
  const {summary, loaded, sets, events, report} = account
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
    next: nextStepText(nextOf(account)),
  }
}

function toTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : toIso(milliseconds)
}
