import {findRan} from '../../activities/what-ran.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure, toEntries} from '../../core/errors.js'
import {readDamaged} from '../../runs/journal/open-journal.js'
import {readAccount, toAccountData} from '../../runs/report/run-account.js'
import {mostBytes, toRunPage} from '../../runs/report/run-page.js'
import type {JsonValue} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {presentText, presentView, type ViewFlags} from '../read/present-view.js'
import {viewOf} from '../read/render-view.js'
import {foldFor} from '../terminal/fold-text.js'
import {runFolderOf} from '../write/own-runs.js'
import {showActivity} from './other-runs.js'
import {renderDamaged, renderRun} from './render-run.js'

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
  try {
    const account = readAccount(folder, id, isPage)
    const {verbose = false} = flags
    const {report, loaded} = account
    const view = {
      text: () => foldFor(process.stdout, renderRun({...account, verbose})),
      page: () => toRunPage({report, facts: loaded.facts, account, runs: [account], now: systemClock.now()}),
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
