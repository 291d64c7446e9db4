import type {Client} from '../../client/types.js'
import {bootMoment, systemClock} from '../../core/clock.js'
import type {ReconcileOptions, ReconcileProgress, ReconcileReport} from '../../runs/reconcile/judgement.js'
import {reconcileRun} from '../../runs/reconcile/reconcile-run.js'
import {requestsSoFar} from '../../runs/report/run-account.js'
import type {OpenedRun} from '../runs/open-run.js'
import {stopSignal} from '../terminal/signals.js'
import {toSettleMilliseconds} from './settle-flags.js'

export type SettleOptions = {
  /** Not needed where a person decides. */
  client?: Pick<Client, 'forClass' | 'requestsUsed'> | undefined
  flags: {settle?: number | undefined; 'resend-after-settle'?: boolean | undefined}
  onProgress: (text: string) => void
  /** Called once for each long wait, for logs and pipes, where no progress is shown. */
  onWait: (text: string) => void
  /** What a person decides about every set in doubt; nothing is read or sent. */
  assume?: ReconcileOptions['assume']
  sends?: ReconcileOptions['sends']
  /** Look once, and change nothing. */
  dryRun?: boolean
  /** A step of another command, which does not report how the run ended. */
  isAside?: boolean
}

/** Finds out what became of the sets of a run that are in doubt, as `runs reconcile` does, and renews how it ended. */
export async function settleRun(
  {journal, loaded}: Pick<OpenedRun, 'journal' | 'loaded'>,
  {client, flags, onProgress, onWait, assume, sends, dryRun = false, isAside = false}: SettleOptions,
): Promise<ReconcileReport> {
  const before = journal.outcome()
  const sayWait = toSayWait(onWait)
  const requestsBefore = requestsSoFar(loaded, before) - (client?.requestsUsed ?? 0)
  if (!dryRun) journal.transaction(() => journal.own())
  const settled = await reconcileRun(journal, loaded, {
    client: client?.forClass('reconcile') ?? noClient,
    clock: systemClock,
    moment: bootMoment,
    settleMilliseconds: toSettleMilliseconds({settle: flags.settle ?? loaded.facts.settle}),
    resendAfterSettle: flags['resend-after-settle'],
    signal: stopSignal,
    assume,
    sends,
    dryRun,
    onProgress: (progress) => {
      sayWait(progress)
      onProgress(describe(progress))
    },
  })
  if (dryRun) return settled
  const {exit, report} = settled
  const requests = requestsBefore + (client?.requestsUsed ?? 0)
  const untold = isAside || before?.exit !== 'ok' || before.untold // the write that is given again reports its rows as applied
  journal.end({exit, rows: report.rows, requests, endedAt: systemClock.now(), ...(untold && {untold})})
  return settled
}

const unreachable = (): never => {
  throw new TypeError('a decision needs no client')
}
const noClient: ReconcileOptions['client'] = {readPages: unreachable, write: unreachable}

const longWaitMilliseconds = 5_000

/** A terminal shows progress; elsewhere a silent program would seem to hang. */
export function toSayWait(onWait: (text: string) => void): (progress: ReconcileProgress) => void {
  let lastWait = ''
  return (progress) => {
    const wait = `${progress.set}:${progress.probe}`
    if (process.stderr.isTTY || wait === lastWait || progress.milliseconds < longWaitMilliseconds) return
    lastWait = wait
    onWait(`${describe(progress)} (--settle)`)
  }
}

function describe({set, probe, probes, milliseconds}: ReconcileProgress): string {
  const when = milliseconds === 0 ? '' : ` in ${Math.ceil(milliseconds / 1000)} s`
  return `Looking for the rows of set ${set}: look ${probe} of ${probes}${when} …`
}
