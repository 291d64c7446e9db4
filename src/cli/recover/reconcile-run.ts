import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {ReconcileOptions, ReconcileReport} from '../../runs/reconcile/judgement.js'
import {describeParts, openPartsOf} from '../../runs/reconcile/reconcile.js'
import type {CommandContext} from '../app/command-context.js'
import {openNeeds} from '../client/open-client.js'
import {askConfirmation, canAsk} from '../terminal/prompt.js'
import {onSecondSignal} from '../terminal/signals.js'
import {askConsent, checkCount, unanswered} from '../write/consent.js'
import {openClientOfRun} from '../write/open-run.js'
import {type OpenedRun, openNamed} from '../write/own-runs.js'
import {settleAsAsked} from '../write/settle-doubt.js'
import {shareRun} from '../write/share-audit.js'
import type {ReconcileFlags} from './recover-flags.js'
import {renderReconcile, toReconcileData, toReconcileEntries} from './render-reconcile.js'

/** Finds out what became of the sets of a run that are in doubt. */
export async function reconcileRun(text: string, flags: ReconcileFlags, context: CommandContext): Promise<void> {
  const run = openNamed(context.environment, text)
  const {facts} = run.loaded
  const {'dry-run': dryRun = false} = flags
  try {
    const open = () => openClientOfRun(facts, flags, context)
    const needs = await openNeeds(flags, context, {open, sharesTerminal: true})
    const {opened, reconciled} = await reconcile(run, flags, {needs, context}).finally(needs.close)
    const {report, exit} = reconciled
    const view = {reconciled, dryRun, requests: opened?.client.requestsUsed ?? 0}
    await context.present({
      data: toReconcileData(view),
      text: await renderReconcile(view),
      meta: {...opened?.meta(), rows: report.rows},
      exit,
      errors: toReconcileEntries(reconciled),
      runId: run.id,
    })
    if (!dryRun) await shareRun(run.id, facts.profile, context.environment)
  } finally {
    run.close()
  }
}

type Tools = {needs: Awaited<ReturnType<typeof openNeeds>>; context: CommandContext}

/** Deletions are sent again only when their number was confirmed; until then they stay in doubt. */
async function reconcile(run: OpenedRun, flags: ReconcileFlags, {needs: {lazy, progress}, context}: Tools) {
  const {assume, 'dry-run': dryRun = false} = flags
  const sets = openPartsOf(run.loaded)
  if (assume !== undefined && sets.length > 0 && !dryRun) await confirmAssumption(run, sets, flags)
  const opened = assume === undefined && sets.length > 0 ? await lazy.open() : undefined
  onSecondSignal(
    () => `Stopped immediately; what is known so far is kept.\n→ Resume: ${commandLine('runs reconcile', [run.id])}`,
    () => run.id,
  )
  const settle = ({loaded}: Pick<OpenedRun, 'loaded'>, sends: ReconcileOptions['sends']) =>
    settleAsAsked(
      {journal: run.journal, loaded},
      {
        ...{client: opened?.client, flags, onProgress: progress.update, onWait: context.messages.note, sends, dryRun},
        assume: assume === undefined ? undefined : assume === 'applied' ? 'applied' : 'notApplied',
      },
    ).finally(progress.pause)
  const looked = await settle(run, 'noDeletions')
  return {opened, reconciled: (await isCounted(looked, run.id, flags)) ? await settle(looked, 'all') : looked}
}

/** Whether deletions may be sent again: their number is confirmed first, and until then they stay in doubt. */
async function isCounted(looked: ReconcileReport, id: string, flags: ReconcileFlags): Promise<boolean> {
  const {loaded} = looked
  const plan = {...loaded.plan, sets: openPartsOf(loaded).map(({set}) => set)}
  const isWaiting = looked.sets.some(({deletions}) => deletions !== undefined)
  if (flags['dry-run'] || !isWaiting || plan.sets.length === 0) return false
  if (flags['confirm-count'] === undefined && !canAsk(flags)) return false
  checkCount(plan, flags)
  const above = `Run ${id} was to delete these, and they are still there.`
  const {profile} = loaded.facts
  if (await askConsent(plan, {...flags, yes: true}, {profile}, () => ({above}))) return true
  throw new CliFailure('Cancelled; nothing was deleted.', {code: 'NOT_CONFIRMED'})
}

/** Confirms what a person says, because it is recorded for good. Throws `usage` where nobody can be asked. */
async function confirmAssumption(
  {id}: OpenedRun,
  sets: ReturnType<typeof openPartsOf>,
  flags: ReconcileFlags,
): Promise<void> {
  if (flags.yes) return
  if (!canAsk(flags)) throw unanswered(flags)
  const what = describeParts(sets)
  const isOne = sets.length === 1 && sets[0]?.set.places.length === 1
  const were = `${isOne ? 'was' : 'were'} ${flags.assume === 'applied' ? 'applied' : 'not applied'}`
  if (await askConfirmation(`Do you know that ${what} of run ${id} ${were}?`)) return
  throw new CliFailure('Cancelled; nothing was recorded.', {code: 'NOT_CONFIRMED', retry: 'safe'})
}
