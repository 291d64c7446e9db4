import type {BootMoment} from '../../core/clock.js'
import type {JournalPart} from '../journal/journal-entries.js'

export const defaultSettleMilliseconds = 120_000

/** No request takes longer, so that a program which died in it was surely in doubt by then. */
const longestRequestMilliseconds = 60_000

/** When to probe, on the clock of this start of the machine, and from when on "not found" proves something. */
export type Settle = {probes: number[]; settled: number}

/**
 * Now, and after a quarter and all of the settle time since the doubt began; what is past already is left out. A doubt
 * that began before the machine was restarted, or on another one, counts from now.
 */
export function toSettle(part: Pick<JournalPart, 'sent' | 'doubt'>, now: BootMoment, milliseconds: number): Settle {
  const began = doubtBegan(part, now)
  const later = [began + milliseconds / 4, began + milliseconds].filter((at) => at > now.milliseconds)
  return {probes: [now.milliseconds, ...new Set(later)], settled: began + milliseconds}
}

function doubtBegan({sent, doubt}: Pick<JournalPart, 'sent' | 'doubt'>, now: BootMoment): number {
  if (doubt && isOfBoot(doubt, now)) return Math.min(doubt.milliseconds, now.milliseconds)
  if (!doubt && sent && isOfBoot(sent, now)) {
    return Math.min(sent.milliseconds + longestRequestMilliseconds, now.milliseconds)
  }
  return now.milliseconds
}

function isOfBoot({boot}: BootMoment, now: BootMoment): boolean {
  return boot !== undefined && boot === now.boot
}
