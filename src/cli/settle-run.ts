import {reconcileRun} from '../bulk/reconcile/reconcile-run.js'
import type {ReconcileProgress, ReconcileReport} from '../bulk/reconcile/report.js'
import type {Client} from '../client/types.js'
import {bootMoment, systemClock} from '../clock.js'
import type {OpenedRun} from './open-run.js'
import {toSettleMilliseconds} from './settle-flags.js'
import {stopSignal} from './signals.js'

export type SettleOptions = {
  client: Pick<Client, 'forClass' | 'requestsUsed'>
  flags: {settle?: number | undefined; 'resend-after-settle'?: boolean | undefined}
  onProgress: (text: string) => void
}

/** Finds out what became of the sets of a run that are in doubt, as `runs reconcile` does, and renews how it ended. */
export async function settleRun(
  {journal, loaded}: Pick<OpenedRun, 'journal' | 'loaded'>,
  {client, flags, onProgress}: SettleOptions,
): Promise<ReconcileReport> {
  const before = journal.outcome()
  const used = client.requestsUsed
  journal.transaction(() => journal.own())
  const settled = await reconcileRun(journal, loaded, {
    client: client.forClass('reconcile'),
    clock: systemClock,
    moment: bootMoment,
    settleMilliseconds: toSettleMilliseconds(flags),
    resendAfterSettle: flags['resend-after-settle'],
    signal: stopSignal,
    onProgress: (progress) => onProgress(describe(progress)),
  })
  const {exit, report} = settled
  const requests = (before?.requests ?? 0) + client.requestsUsed - used
  const untold = before === undefined || before.untold
  journal.end({exit, rows: report.rows, requests, endedAt: systemClock.now(), ...(untold && {untold})})
  return settled
}

function describe({set, probe, probes, milliseconds}: ReconcileProgress): string {
  const when = milliseconds === 0 ? '' : ` in ${Math.ceil(milliseconds / 1000)} s`
  return `Looking for the rows of set ${set}: look ${probe} of ${probes}${when} …`
}
