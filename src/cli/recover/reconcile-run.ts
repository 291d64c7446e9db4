import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {openPartsOf} from '../../runs/reconcile/reconcile-run.js'
import {isUncounted, type ReconcileOptions, type ReconcileReport} from '../../runs/reconcile/report.js'
import {counted} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import type {Messages} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {requestMeta} from '../client/request-meta.js'
import {type OpenedRun, openClientOfRun, openRun} from '../runs/open-run.js'
import {foldFor} from '../terminal/fold-text.js'
import {startProgress} from '../terminal/progress.js'
import {askConfirmation, canAsk} from '../terminal/prompt.js'
import {onSecondSignal} from '../terminal/signals.js'
import {askConsent, checkCount, unanswered} from '../write/consent.js'
import type {ReconcileFlags} from './recover-flags.js'
import {renderReconcile, toReconcileData} from './render-reconcile.js'
import {settleRun} from './settle-run.js'

/** Finds out what became of the sets of a run that are in doubt. */
export async function reconcileRun(text: string, flags: ReconcileFlags, context: CommandContext): Promise<void> {
  const run = openRun(context.environment, text)
  const {assume, 'dry-run': dryRun = false} = flags
  try {
    const open = openPartsOf(run.loaded)
    const isOpen = open.length > 0
    if (assume !== undefined && isOpen && !dryRun) await confirmAssumption(run, open.length, flags)
    const {messages} = context
    const isAsked = isOpen && assume === undefined
    const opened = isAsked ? await openClientOfRun(run.loaded.facts, flags, context) : undefined
    const reconciled = await settleCounted(run, flags, {opened, messages})
    const view = {reconciled, dryRun, requests: opened?.client.requestsUsed ?? 0}
    opened?.client.close()
    const {report, exit} = reconciled
    await context.present({
      data: toReconcileData(view),
      text: foldFor(process.stdout, await renderReconcile(view)),
      meta: {...(opened && requestMeta(opened)), rows: report.rows},
      exit,
      errors: report.entries,
      runId: run.id,
    })
  } finally {
    run.close()
  }
}

type Tools = {opened: OpenedClient | undefined; messages: Messages}

/** Deletions are sent again only when their number was confirmed; until then they stay in doubt. */
async function settleCounted(run: OpenedRun, flags: ReconcileFlags, tools: Tools): Promise<ReconcileReport> {
  const looked = await settle(run, flags, tools)
  const {loaded} = looked
  const plan = {...loaded.plan, sets: openPartsOf(loaded).map(({set}) => set)}
  if (flags['dry-run'] || !isUncounted(looked) || plan.sets.length === 0) return looked
  if (flags['confirm-count'] === undefined && !canAsk(flags)) return looked
  checkCount(plan, flags)
  const above = `Run ${run.id} was to delete these, and they are still there.`
  const {profile} = loaded.facts
  const isAgreed = await askConsent(plan, {...flags, yes: true}, {profile}, () => ({above}))
  if (!isAgreed) throw new CliFailure('Cancelled; nothing was deleted.', {code: 'NOT_CONFIRMED', exit: 'failure'})
  return settle({...run, loaded}, flags, tools, 'all')
}

async function settle(
  run: OpenedRun,
  flags: ReconcileFlags,
  {opened, messages}: Tools,
  sends: ReconcileOptions['sends'] = 'noDeletions',
): Promise<ReconcileReport> {
  const {quiet = false, verbose = false, 'dry-run': dryRun = false} = flags
  const progress = await startProgress({
    ...{quiet, verbose, sharesTerminal: true},
    clock: systemClock,
    print: messages.detail,
  })
  onSecondSignal(
    () => `Stopped immediately; what is known so far is kept.\n→ Resume: ${commandLine('runs reconcile', [run.id])}`,
  )
  try {
    const {update: onProgress} = progress
    const assume = toAssumed(flags)
    return await settleRun(run, {
      client: opened?.client,
      flags,
      onProgress,
      onWait: messages.note,
      assume,
      sends,
      dryRun,
    })
  } finally {
    progress.end()
  }
}

function toAssumed({assume}: ReconcileFlags): 'applied' | 'notApplied' | undefined {
  if (assume === undefined) return undefined
  return assume === 'applied' ? 'applied' : 'notApplied'
}

/** Confirms what a person says, because it is recorded for good. Throws `usage` where nobody can be asked. */
async function confirmAssumption({loaded, id}: OpenedRun, sets: number, flags: ReconcileFlags): Promise<void> {
  if (flags.yes) return
  if (!canAsk(flags)) throw unanswered(flags)
  const rows = openPartsOf(loaded).reduce((sum, {set}) => sum + set.places.length, 0)
  const what = `${counted(rows, 'row')} in ${sets === 1 ? 'one set' : `${sets} sets`} of run ${id}`
  const were = `${rows === 1 ? 'was' : 'were'} ${flags.assume === 'applied' ? 'applied' : 'not applied'}`
  if (await askConfirmation(`Do you know that ${what} ${were}?`)) return
  throw new CliFailure('Cancelled; nothing was recorded.', {code: 'NOT_CONFIRMED', exit: 'failure', retry: 'safe'})
}
