import {writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {Judgement} from './judgement.js'
import {probeSet} from './probe.js'
import {note, type SetInDoubt, wasAnswered} from './set-in-doubt.js'
import {defaultSettleMilliseconds, toSettle} from './settle.js'

/** The progress line counts down in steps of this. */
const longestSleepMilliseconds = 1_000

/** What the probes proved in the end; `settled` when the last of them came after the settle time. */
export type Probed = {judgement?: Judgement; settled: boolean; stopped: boolean}

/** Probes a set until what is found is decisive or the settle time is over. */
export async function probeUntilSettled(context: SetInDoubt): Promise<Probed> {
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
    onProgress?.({set: report.set, ...which, milliseconds: left})
    try {
      await clock.sleep(Math.min(left, longestSleepMilliseconds), signal)
    } catch (error) {
      if (signal?.aborted) return false
      throw error
    }
  }

  onProgress?.({set: report.set, ...which, milliseconds: 0})
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

async function isDecisive(context: SetInDoubt, judgement: Judgement, isLate: boolean): Promise<boolean> {
  if (judgement.kind === 'none') return isLate || judgement.final || (await isHarmless(context))
  return judgement.kind !== 'unclear'
}

/** Whether a first copy that arrives after a second one changes nothing. */
export async function isHarmless(context: SetInDoubt): Promise<boolean> {
  const {when} = writeOperation(context.operation).repeatable
  if (wasAnswered(context) || when === 'always') return true
  return when === 'asked' && context.records.every(await context.onlyOne())
}
