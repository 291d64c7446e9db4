import {join} from 'node:path'
import {commandLine} from './command-line.js'
import {CliFailure} from './errors.js'
import {isPathLocked, type Lock, tryLock} from './lock.js'
import {describeHolder, isNoted} from './lock-holder.js'
import {checkPrivate} from './owner-and-mode.js'

/** `20260131-174502-1c84f`: sorts by time to the millisecond, is easy to read out, and needs no quoting anywhere. */
export function makeRunId(now: number, random: () => number = Math.random): string {
  const [date, time] = new Date(now).toISOString().replaceAll(/[-:]/g, '').split('T')
  const milliseconds = toHex(now % 1000, 3)
  return `${date}-${time?.slice(0, 6)}-${milliseconds}${toHex(Math.floor(random() * 0x100), 2)}`
}

function toHex(value: number, digits: number): string {
  return Math.floor(value).toString(16).padStart(digits, '0')
}

/** The folder of the journals of all runs of this user, one file each, and of the locks of whatever runs. */
export type RunFolder = {path: string}

export function runsFolder(stateFolder: string): RunFolder {
  return {path: join(stateFolder, 'runs')}
}

/** Throws `unsafe` when others can enter the folder, or when it is a symbolic link. */
export function checkRunFolder({path}: RunFolder): void {
  checkPrivate(path, 'The folder of the runs')
}

/** Locks a write, an export, a sync or a job: its holder alone works on it. Throws `locked` while another process does. */
export function lockRun(folder: RunFolder, id: string): Lock {
  const lock = tryLockRun(folder, id)
  if (lock) return lock
  throw new CliFailure(`Run ${id} is locked by another process${describeHolder(lockPath(folder, id))}.`, {
    code: 'RUN_LOCKED',
    retry: 'safe',
    hints: [`See what it does: ${commandLine('runs show', [id])}`, 'Wait until it has ended, then try again.'],
  })
}

/** Throws `locked`, naming the process, while one works on the run. */
export function refuseLocked(folder: RunFolder, id: string): void {
  if (isLocked(folder, id)) lockRun(folder, id).release()
}

/** The runs that other processes work on, of those that are not `own`. */
export function findRunning(folder: RunFolder, ids: readonly string[], own: ReadonlySet<string | undefined>): string[] {
  return ids.filter((id) => !own.has(id) && isNoted(lockPath(folder, id)) && isLocked(folder, id))
}

/** The lock of a run; undefined while another process has it. */
export function tryLockRun(folder: RunFolder, id: string): Lock | undefined {
  checkRunFolder(folder)
  return tryLock(lockPath(folder, id), lockName(id))
}

/** Does the work while no other process has the run, and removes its lock. False, with nothing done, while one has it. */
export function ifFree(folder: RunFolder, id: string, work: () => void): boolean {
  const lock = tryLockRun(folder, id)
  if (!lock) return false
  try {
    work()
    return true
  } finally {
    lock.remove()
  }
}

/** Whether a process works on the run; none does on a read-only disk. */
export function isLocked(folder: RunFolder, id: string): boolean {
  return isPathLocked(lockPath(folder, id), lockName(id))
}

function lockPath({path}: RunFolder, id: string): string {
  return join(path, `${id}.lock`)
}

function lockName(id: string): string {
  return `The lock of run ${id}`
}
