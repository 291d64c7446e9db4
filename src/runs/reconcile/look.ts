import {CliFailure} from '../../core/errors.js'
import type {Judgement} from './judgement.js'
import {probe} from './probe.js'
import {type SetInDoubt, say, wasAnswered} from './set-in-doubt.js'
import {defaultSettleMilliseconds, toSettle} from './settle.js'

/** What the looks proved in the end; `settled` when the last of them came after the settle time. */
export type Looked = {judgement?: Judgement; settled: boolean; stopped: boolean}

/** Looks at the records of a set until what is seen is decisive or the settle time is over. */
export async function look(context: SetInDoubt): Promise<Looked> {
  const {options, entry, report} = context
  const {settleMilliseconds = defaultSettleMilliseconds, dryRun = false} = options
  const {looks, settled} = toSettle(entry.part, options.moment(), settleMilliseconds)
  let last: Looked = {settled: false, stopped: false}
  for (const [index, at] of looks.entries()) {
    const stopped = !(await waitUntil(at, context, {probe: index + 1, probes: looks.length}))
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

/** So long the line that tells of the wait stands still. */
const longestSleepMilliseconds = 1_000

async function tryProbe(context: SetInDoubt): Promise<Judgement | undefined> {
  const {options, run, entry, preimages, records, report} = context
  const {client, clock, signal} = options
  try {
    return await probe({client, run, part: entry, preimages, now: clock.now()}, records)
  } catch (error) {
    if (signal?.aborted) return undefined
    if (!(error instanceof CliFailure)) throw error
    report.probes.void++
    say(context, `a look that proves nothing: ${error.message}`)
    return undefined
  }
}

async function isDecisive(context: SetInDoubt, judgement: Judgement, isLate: boolean): Promise<boolean> {
  if (judgement.kind === 'none') return isLate || judgement.final || (await isHarmless(context))
  return judgement.kind !== 'unclear'
}

/** Whether a first copy that comes late does no harm to a second one. */
export async function isHarmless(context: SetInDoubt): Promise<boolean> {
  const {operation, records} = context
  if (wasAnswered(context) || operation === 'alerts.update') return true
  if (operation !== 'alerts.create') return false
  const codes = await context.onlyOneCodes()
  const isOpen = ({isCleared, clearedAt}: (typeof records)[number]) =>
    isCleared !== true && typeof clearedAt !== 'string'
  return records.every((record) => isOpen(record) && codes.has(String(record['code'])))
}
