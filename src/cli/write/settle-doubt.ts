import type {Client} from '../../client/types.js'
import type {Journal} from '../../runs/journal/journal.js'
import {loadRun, type OpenedRun} from '../../runs/journal/load-run.js'
import type {ReconcileProgress, ReconcileReport} from '../../runs/reconcile/judgement.js'
import type {SettleOptions} from '../../runs/reconcile/reconcile.js'
import type {Resolved} from '../../settings/settings.js'
import type {Messages} from '../app/messages.js'
import type {LazyClient} from '../client/open-client.js'
import {stopSignal} from '../terminal/signals.js'
import {checkConsent} from './consent.js'
import {toSettling} from './sending-flags.js'
import type {WriteFlags} from './write-flags.js'

export type Writing = {
  flags: WriteFlags
  resolved: Resolved
  lazy: LazyClient
  messages: Messages
  onProgress: (text: string) => void
}

/** Settles rows of this write that an earlier run left in doubt. True when some were sent again and applied. */
export async function settleEarlier(
  journal: Journal,
  sends: 'noDeletions' | 'nothing',
  {flags, resolved, lazy, messages, onProgress}: Writing,
): Promise<boolean> {
  const loaded = loadRun(journal)
  const {id} = loaded.facts
  checkConsent(loaded.plan, flags, resolved, {counts: false}) // its rows may be sent again
  messages.note(`Run ${id} has rows of this write in doubt: looking for them first.`)
  const {client} = await lazy.open()
  const options = {client, flags, sends, onProgress, onWait: messages.note, isAside: true}
  const settled = await settleAsAsked({journal, loaded}, options)
  const sentAgain = settled.sets.filter(({sent}) => sent > 0)
  for (const {set, evidence} of sentAgain) messages.tell(`Run ${id}, set ${set}: ${evidence.at(-1)}`)
  return sentAgain.some(({fate}) => fate === 'applied')
}

type AskedSettling = Omit<SettleOptions, 'onProgress' | 'settleMilliseconds' | 'resendAfterSettle' | 'signal'> & {
  client: Client | undefined
  flags: Parameters<typeof toSettling>[0]
  onProgress: (text: string) => void
  /** Called once for each long wait, for logs and pipes, where no progress is shown. */
  onWait: (text: string) => void
}

/** Settles the sets of a run that are in doubt, for as long as the flags say, and shows the progress. */
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

/** Reports each long wait once where no terminal shows the progress: a silent program would seem to hang. */
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
