import {readFileSync, readlinkSync} from 'node:fs'
import {bootMoment} from '../../core/clock.js'
import {isAlive} from '../../core/lock-holder.js'

/** A process, told from a later one of the same number where the system says when it began. */
export type ProcessMark = {pid: number; since?: string | undefined; place?: string | undefined}

/** Whoever runs elsewhere, as in another container, is taken for ended when it was not seen for so long. */
const longestUnseenMilliseconds = 300_000

export function markProcess(pid: number): ProcessMark {
  return {pid, since: readStat(pid)?.since, place: place()}
}

/** Whether the process still runs; one that was last seen elsewhere is given some minutes. */
export function isRunning(mark: ProcessMark, unseenMilliseconds: number): boolean {
  if (mark.place !== place()) return unseenMilliseconds < longestUnseenMilliseconds
  const stat = readStat(mark.pid)
  return stat ? stat.state !== 'Z' && stat.since === mark.since : isAlive(mark.pid)
}

/** Of Linux: fields 3 and 22 of the statistics of a process. */
function readStat(pid: number): {state: string | undefined; since: string | undefined} | undefined {
  const fields = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
    ?.split(') ')
    .at(-1)
    ?.split(' ')
  return fields && {state: fields[0], since: fields[19]}
}

/** This start of the machine, and the numbers of processes that hold here. */
function place(): string {
  return [bootMoment().boot, read(() => readlinkSync('/proc/self/ns/pid'))].join(' ')
}

function read(work: () => string): string | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
