import {readdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync} from 'node:fs'
import {join} from 'node:path'
import {bootMoment} from '../../core/clock.js'
import {isAlive} from '../../core/lock-holder.js'
import {readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import {type NotifyEvent, type Run, toLostEvent} from './event.js'

/** The record of a run, kept until its end was reported. */
type Kept = {
  run: Run
  processes: readonly ProcessMark[]
  /** The failure that was not reported yet; without it, how the run ended is not known. */
  event?: NotifyEvent
  /** The kinds of targets that were not reached; all of them where this is missing. */
  to?: readonly string[]
}

export type RunRecord = ReturnType<typeof toRecord>

/** The failure of an earlier run that was not reported. */
export type Outstanding = {rid: string; event: NotifyEvent; to: readonly string[] | undefined; record: RunRecord}

const marked = '.sending'

/** Writes the record of a run that is about to start. Undefined where it cannot be written. */
export function openRecord(folder: string, key: string, run: Run): RunRecord | undefined {
  const path = join(folder, `${key}-${run.rid}.json`)
  const kept: Kept = {run, processes: [markProcess(process.pid)]}
  return quietly(() => writePrivateFile(path, JSON.stringify(kept))) ? toRecord(path, kept) : undefined
}

/** The record of a run that another process opened. */
export function findRecord(path: string): RunRecord | undefined {
  const kept = readKept(path)
  return kept && toRecord(path, kept)
}

/** A record in a file; where the folder cannot be written, nothing is kept and the command is not affected. */
function toRecord(path: string, kept: Kept) {
  let known = kept
  const change = (more: Partial<Kept>) => {
    known = {...known, ...more}
    const isWritten = quietly(() => writePrivateFile(path, JSON.stringify(known)))
    quietly(() => (isWritten ? rmSync(`${path}${marked}`, {force: true}) : renameSync(`${path}${marked}`, path)))
  }
  return {
    path,
    change,
    /** Adds another process of this program that works for the run. */
    addProcess(pid: number) {
      const mark = markProcess(pid)
      const isKnown = known.processes.some((one) => one.pid === mark.pid && one.since === mark.since)
      if (!isKnown) change({processes: [...known.processes, mark]})
    },
    /** Sets the time of the file, which counts as the end of a run that is killed unseen. */
    touch: (now: number) => void quietly(() => utimesSync(path, now / 1_000, now / 1_000)),
    /** Marks it before it is sent, so that it is never sent twice. False where another process did. */
    mark: () => quietly(() => renameSync(path, `${path}${marked}`)),
    close() {
      for (const each of [path, `${path}${marked}`]) quietly(() => rmSync(each, {force: true}))
    },
  }
}

/** The failures of ended runs under this key, the oldest first. */
export function findOutstanding(folder: string, key: string, now: number): Outstanding[] {
  const names = (read(() => readdirSync(folder)) ?? []).filter((name) => name.startsWith(`${key}-`))
  const found = names.flatMap((name) => findEnded(join(folder, name), now) ?? [])
  return found.sort((one, other) => (one.event.startedAt < other.event.startedAt ? -1 : 1))
}

/**
 * The failure in a record whose processes have ended; one that was being sent is dropped, because it may have arrived.
 */
function findEnded(path: string, now: number): Outstanding | undefined {
  const kept = readKept(path)
  const seen = statSync(path, {throwIfNoEntry: false})?.mtimeMs
  if (!kept || seen === undefined || kept.processes.some((mark) => isRunning(mark, now - seen))) return undefined
  if (path.endsWith(marked)) quietly(() => rmSync(path, {force: true}))
  const record = path.endsWith('.json') ? toRecord(path, kept) : undefined
  return record && {rid: kept.run.rid, event: kept.event ?? toLostEvent(kept.run, seen), to: kept.to, record}
}

function readKept(path: string): Kept | undefined {
  const kept: unknown = read(() => JSON.parse(readPrivateFile(path) ?? 'null'))
  return isKept(kept) ? kept : undefined
}

/** Whether a record has what is used of it; a damaged one must not stop a command or report a false failure. */
function isKept(value: unknown): value is Kept {
  if (!isObject(value) || !isObject(value['run'])) return false
  const {run, processes, event} = value
  if (!isTime(run['at']) || !Array.isArray(processes) || !processes.every(isObject)) return false
  return event === undefined || (isObject(event) && event['event'] === 'failure' && isTime(event['startedAt']))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isTime(value: unknown): boolean {
  return (typeof value === 'number' || typeof value === 'string') && !Number.isNaN(new Date(value).getTime())
}

/** Whether some work could be done without an error. */
function quietly(work: () => void): boolean {
  return read(() => [work()]) !== undefined
}

/** A process; `since` tells it from a later one of the same number, where the system knows it. */
export type ProcessMark = {pid: number; since?: string | undefined; place?: string | undefined}

/** A process elsewhere, as in another container, is taken for ended when it was not seen for this time. */
const longestUnseenMilliseconds = 300_000

function markProcess(pid: number): ProcessMark {
  return {pid, since: readStat(pid)?.since, place: place()}
}

/** Whether the process still runs; one that was last seen elsewhere is given some minutes. */
function isRunning(mark: ProcessMark, unseenMilliseconds: number): boolean {
  if (mark.place !== place()) return unseenMilliseconds < longestUnseenMilliseconds
  const stat = readStat(mark.pid)
  return stat ? stat.state !== 'Z' && stat.since === mark.since : isAlive(mark.pid)
}

/** State and start of a process, fields 3 and 22 of its statistics; undefined where the system is not Linux. */
function readStat(pid: number): {state: string | undefined; since: string | undefined} | undefined {
  const fields = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
    ?.split(') ')
    .at(-1)
    ?.split(' ')
  return fields && {state: fields[0], since: fields[19]}
}

/** Names this start of the machine and the namespace of its process numbers. */
function place(): string {
  return [bootMoment().boot, read(() => readlinkSync('/proc/self/ns/pid'))].join(' ')
}

function read<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
