import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {systemClock, toTimeText} from './clock.js'
import {shellWord} from './command-line.js'

/** Notes beside a lock that this process has it, for messages only: a note that cannot be written does not matter. */
export function noteHolder(lock: string): void {
  const text = JSON.stringify({pid: process.pid, since: systemClock.now(), command: ownCommand()})
  quietly(() => writeFileSync(holderPath(lock), text, {mode: 0o600}))
}

/** The command of this process as others are told of it: without its flags, which may hold secrets. */
export function ownCommand(): string {
  const args = process.argv.slice(2)
  const end = args.findIndex((word) => word.startsWith('-'))
  return ['vendorctl', ...(end < 0 ? args : args.slice(0, end))].map(shellWord).join(' ')
}

/** To be called before the lock is released, so that the note of its next holder stays. */
export function forgetHolder(lock: string): void {
  quietly(() => rmSync(holderPath(lock), {force: true}))
}

const tries = 25
const pauseMilliseconds = 10

/**
 * Who has a lock: ` (pid 4711, since 2026-01-31 17:45:02 UTC: vendorctl sites create)`. Whoever has just taken it is
 * given a moment to note that; empty where it is not known.
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
    const {pid, since, command} = JSON.parse(readFileSync(holderPath(lock), 'utf8')) as Record<string, unknown>
    if (!isAlive(Number(pid))) return ''
    return toHolderText(Number(pid), Number(since), String(command))
  } catch {
    return ''
  }
}

/** A process as messages about locks name it. */
export function toHolderText(pid: number, since: number, command: string): string {
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
