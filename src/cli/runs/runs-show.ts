import {toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, toEntries} from '../../core/errors.js'
import type {RunFolder} from '../../core/run-id.js'
import {version} from '../../core/version.js'
import {toSafeText} from '../../formats/safe-text.js'
import {type DamagedJournal, readDamaged} from '../../runs/journal/open-journal.js'
import {runPath} from '../../runs/journal/run-folder.js'
import {fatesOf} from '../../runs/report/audit.js'
import {nextStepText} from '../../runs/report/next-step.js'
import {nextOf, type RunAccount, readAccount} from '../../runs/report/run-account.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {CommandContext, Presented} from '../app/command-context.js'
import {keepMemoryFlatFor} from '../read/flat-memory.js'
import {toIso} from '../read/own-columns.js'
import {presentView, type ViewFlags} from '../read/present-view.js'
import {viewOf} from '../read/render-view.js'
import {foldFor} from '../terminal/fold-text.js'
import {runFolderOf, systemTimes} from '../write/own-runs.js'
import {mostBytes, toRunPage} from '../write/run-page.js'
import {findRan} from './find-run.js'
import {showActivity} from './other-runs.js'
import {renderRun} from './render-run.js'

/** Ends the command with what a run did and what to do next. Throws `usage`, `unsafe`, or `storage`. */
export async function showRun(
  text: string,
  flags: ViewFlags & {verbose?: boolean | undefined},
  context: CommandContext,
): Promise<void> {
  const folder = runFolderOf(context.environment)
  const isPage = viewOf(flags) !== 'table'
  const run = findRan(folder, text)
  if (run.kind !== 'write') return presentText(flags, context, showActivity(run))
  const {id} = run
  keepMemoryFlatFor(runPath(folder, id))
  try {
    const account = readAccount(folder, id, isPage)
    const {verbose = false} = flags
    const {report, loaded} = account
    const view = {
      text: () => foldFor(process.stdout, renderRun({...account, verbose})),
      page: () => toRunPage({report, facts: loaded.facts, account, runs: [account], now: systemTimes.now()}),
      mostBytes,
    }
    const data = context.isJson ? toAccountData(account, folder) : null
    await presentView({...flags, isPrivate: true}, context, {data, runId: id}, view)
  } catch (error) {
    if (!(error instanceof CliFailure) || error.code !== 'STATE_DAMAGED') throw error
    const found = readDamaged(folder, id)
    const {facts, outcome = null, ...parts} = found
    const data = {id, state: 'damaged', ...facts, outcome, ...parts} as unknown as JsonValue
    context.messages.tell(`error: ${error.message}`)
    const text = renderDamaged(id, found)
    await presentText(flags, context, {data, text, exit: 'storage', errors: toEntries(error), runId: id})
  }
}

/** What has no rows to show; its page is its text. */
async function presentText(flags: ViewFlags, context: CommandContext, {text = '', ...shown}: Presented): Promise<void> {
  const [title = '', ...texts] = text.trimEnd().split('\n')
  const facts = [['vendorctl', version()]] as const
  const page = () => ({title, facts, sections: [{title: 'What is known', texts}], footer: []})
  await presentView({...flags, isPrivate: true}, context, shown, {text: () => text, page, mostBytes})
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

/** The same as data. */
function toAccountData(account: RunAccount, folder: RunFolder): JsonValue {
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
