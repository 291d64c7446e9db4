import {closeSync, constants, existsSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {hostname} from 'node:os'
import {systemClock, toTimeText} from './clock.js'
import {shellQuote} from './command-line.js'

/** A link that somebody planted is not followed. */
const replacing = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW

/** Notes beside a lock that this process has it, for messages only: a note that cannot be written does not matter. */
export function noteHolder(lock: string): void {
  const holder = {pid: process.pid, host: hostname(), since: systemClock.now(), command: ownCommand()}
  quietly(() => {
    const file = openSync(holderPath(lock), replacing, 0o600)
    try {
      writeFileSync(file, JSON.stringify(holder))
    } finally {
      closeSync(file)
    }
  })
}

/** The command of this process as others are told of it: without its flags, which may contain secrets. */
export function ownCommand(): string {
  const args = process.argv.slice(2)
  const end = args.findIndex((word) => word.startsWith('-'))
  return ['vendorctl', ...(end < 0 ? args : args.slice(0, end))].map(shellQuote).join(' ')
}

/** To be called before the lock is released, so that the note of its next holder stays. */
export function forgetHolder(lock: string): void {
  quietly(() => rmSync(holderPath(lock), {force: true}))
}

/** Whether somebody noted that they have a lock, also one that was killed since: a look that costs less than to ask. */
export function isNoted(lock: string): boolean {
  return existsSync(holderPath(lock))
}

const tries = 25
const pauseMilliseconds = 10

/**
 * The holder of a lock: ` (pid 4711, since 2026-01-31 17:45:02 UTC: vendorctl sites create)`. A process that has just
 * locked it is given a moment to note that; empty where the holder is not known.
 */
export function describeHolder(lock: string): string {
  for (let left = tries; left > 0; left--) {
    const holder = readHolder(lock)
    if (holder !== '') return holder
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMilliseconds)
  }
  return ''
}

function readHolder(lock: string): string {
  try {
    const holder = JSON.parse(readFileSync(holderPath(lock), 'utf8')) as Record<string, unknown>
    const [pid, since, command] = [Number(holder['pid']), Number(holder['since']), String(holder['command'])]
    const {host = hostname()} = holder
    if (host !== hostname()) return toHolderText(`${pid} on ${String(host)}`, since, command)
    return isAlive(pid) ? toHolderText(pid, since, command) : ''
  } catch {
    return ''
  }
}

/** A process as messages about locks name it. */
export function toHolderText(pid: number | string, since: number, command: string): string {
  return ` (pid ${pid}, since ${toTimeText(since)}: ${command})`
}

/** Whether a process of this machine has this number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function holderPath(lock: string): string {
  return `${lock}.holder`
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {}
}
