import {writeOperation} from '../../contract/index.js'
import type {BootMoment} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {JournalPart} from '../journal/journal-entries.js'
import type {Judgement} from './judgement.js'
import {probeSet} from './probe.js'
import {resend, resendAsProbe, sendRest} from './resend.js'
import {
  allRows,
  confirm,
  doubtSince,
  leave,
  note,
  rejectAsAnswered,
  release,
  type SetInDoubt,
  wasAnswered,
} from './set-in-doubt.js'

/** The progress line counts down in steps of this. */
const longestSleepMilliseconds = 1_000

/** Final proof of the probes; `settled` when the last of them came after the settle time. */
export type Probed = {judgement?: Judgement; settled: boolean; stopped: boolean}

/** Probes a set until the findings are decisive or the settle time is over. */
async function probeUntilSettled(context: SetInDoubt): Promise<Probed> {
  const {options, entry, report} = context
  const {settleMilliseconds = defaultSettleMilliseconds, dryRun = false} = options
  const {probes, settled} = toSettle(entry.part, options.moment(), settleMilliseconds)
  let last: Probed = {settled: false, stopped: false}
  for (const [index, at] of probes.entries()) {
    const stopped = !(await waitUntil(at, context, {probe: index + 1, probes: probes.length}))
    if (stopped) return {...last, stopped}
    const isLate = options.moment().milliseconds >= settled
    const judgement = await tryProbe(context)
    if (!judgement) {
      if (options.signal?.aborted) return {...last, stopped: true}
      continue
    }
    report.probes.good++
    last = {judgement, settled: isLate, stopped: false}
    if (dryRun || (await isDecisive(context, judgement, isLate))) return last
  }

  return last
}

/** Waits for a moment of the clock of this start of the machine; false when a signal came before. */
async function waitUntil(
  at: number,
  {options, report}: SetInDoubt,
  which: {probe: number; probes: number},
): Promise<boolean> {
  const {moment, clock, signal, onProgress} = options
  for (let left = at - moment().milliseconds; left > 0; left = at - moment().milliseconds) {
    onProgress({set: report.set, ...which, milliseconds: left})
    try {
      await clock.sleep(Math.min(left, longestSleepMilliseconds), signal)
    } catch (error) {
      if (signal?.aborted) return false
      throw error
    }
  }

  onProgress({set: report.set, ...which, milliseconds: 0})
  return !signal?.aborted
}

async function tryProbe(context: SetInDoubt): Promise<Judgement | undefined> {
  const {report, options} = context
  const {signal} = options
  try {
    return await probeSet(context)
  } catch (error) {
    if (signal?.aborted) return undefined
    if (!(error instanceof CliFailure)) throw error
    report.probes.void++
    note(context, `a read that proves nothing: ${error.message}`)
    return undefined
  }
}

/** Nothing is sent again before the settle time that must not be sent again at all. */
function mayResendEarly({options}: SetInDoubt, {overwrites}: Pick<Extract<Judgement, {kind: 'none'}>, 'overwrites'>) {
  return overwrites !== true && options.sends !== 'nothing'
}

async function isDecisive(context: SetInDoubt, judgement: Judgement, isLate: boolean): Promise<boolean> {
  if (judgement.kind === 'none')
    return isLate || judgement.final || (mayResendEarly(context, judgement) && (await isHarmless(context)))
  return judgement.kind !== 'unclear'
}

/** Whether a first copy that arrives after a second one changes nothing. */
async function isHarmless(context: SetInDoubt): Promise<boolean> {
  const {when} = writeOperation(context.operation).repeatable
  if (wasAnswered(context) || when === 'always') return true
  return when === 'asked' && context.records.every(await context.onlyOne())
}

const defaultSettleMilliseconds = 120_000

/** Times to probe, on the clock of this start of the machine, and the time from which "not found" is proof. */
type Settle = {probes: number[]; settled: number}

/**
 * Now, and after a quarter and all of the settle time since the doubt began, without past times. A doubt that began
 * before the machine was restarted, or on another one, counts from now.
 */
export function toSettle(part: Pick<JournalPart, 'sent' | 'doubt'>, now: BootMoment, milliseconds: number): Settle {
  const since = doubtSince(part)
  const isSameBoot = since?.boot !== undefined && since.boot === now.boot
  const began = isSameBoot ? Math.min(since.milliseconds, now.milliseconds) : now.milliseconds
  const later = [began + milliseconds / 4, began + milliseconds].filter((at) => at > now.milliseconds)
  return {probes: [now.milliseconds, ...new Set(later)], settled: began + milliseconds}
}

/** Finds out what became of one set and finishes it; its report tells how. Returns whether a signal ended it. */
export async function reconcileSet(context: SetInDoubt): Promise<boolean> {
  if (writeOperation(context.operation).probe.kind === 'resend') {
    await resendAsProbe(context)
    return context.options.signal?.aborted === true
  }
  const probed = await probeUntilSettled(context)
  if (probed.stopped) {
    note(context, 'stopped before it was known')
    leave(context)
    return true
  }
  await conclude(context, probed)
  return false
}

async function conclude(context: SetInDoubt, {judgement, settled}: Probed): Promise<void> {
  if (!judgement) {
    note(context, 'no read proved anything')
    return leave(context, allRows(context))
  }
  note(context, judgement.evidence)
  if (judgement.kind === 'applied') return confirm(context, judgement.ids, 'probe', judgement.evidence)
  if (judgement.kind === 'unclear') return leave(context, judgement.rows)
  if (judgement.kind === 'open') return sendRest(context, judgement, settled)
  if (wasAnswered(context)) return rejectAsAnswered(context)

  const isProven = settled || judgement.final
  const harmless = await isHarmless(context)
  if (!isProven && !harmless) {
    note(context, 'which is too early to prove anything')
    return leave(context)
  }
  if (judgement.overwrites) {
    note(context, 'not sent again as it was: it would overwrite what others have changed since in its records')
    return isProven ? release(context, 'probe', 'nothing of it was found') : leave(context)
  }
  const {when} = writeOperation(context.operation).repeatable
  if (when === 'asked' && !harmless && !context.options.resendAfterSettle) {
    note(
      context,
      'not sent again: a first copy that arrives even later would double them (--resend-after-settle accepts that)',
    )
    return leave(context, allRows(context))
  }
  await resend(context, isProven)
}
