import type {Client} from '../../client/types.js'
import type {ReconcileProgress, ReconcileReport} from '../../runs/reconcile/judgement.js'
import type {SettleOptions} from '../../runs/reconcile/reconcile.js'
import {stopSignal} from '../terminal/signals.js'
import type {OpenedRun} from './open-run.js'
import {toSettling} from './sending-flags.js'

type AskedSettling = Omit<SettleOptions, 'onProgress' | 'settleMilliseconds' | 'resendAfterSettle' | 'signal'> & {
  client?: Client | undefined
  flags: Parameters<typeof toSettling>[0]
  onProgress: (text: string) => void
  /** Called once for each long wait, for logs and pipes, where no progress is shown. */
  onWait: (text: string) => void
}

/** Finds out what became of the sets of a run that are in doubt, for as long as the flags say, and shows how far it is. */
export async function settleAsAsked(
  run: Pick<OpenedRun, 'journal' | 'loaded'>,
  {flags, onProgress, onWait, ...options}: AskedSettling,
): Promise<ReconcileReport> {
  const sayWait = toSayWait(onWait)
  const {settleRun} = await import('../../runs/reconcile/reconcile.js')
  return settleRun(run, {
    ...options,
    ...toSettling(flags, run.loaded.facts.settle),
    signal: stopSignal(),
    onProgress(progress) {
      sayWait(progress)
      onProgress(describe(progress))
    },
  })
}

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
