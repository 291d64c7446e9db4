import {join} from 'node:path'

/** `20260131-174502-1c84f`: sorts by time to the millisecond, is easy to read out, and needs no quoting anywhere. */
export function makeRunId(now: number, random: () => number = Math.random): string {
  const [date, time] = new Date(now).toISOString().replaceAll(/[-:]/g, '').split('T')
  const milliseconds = toHex(now % 1000, 3)
  return `${date}-${time?.slice(0, 6)}-${milliseconds}${toHex(Math.floor(random() * 0x100), 2)}`
}

function toHex(value: number, digits: number): string {
  return Math.floor(value).toString(16).padStart(digits, '0')
}

/** The lock that whatever runs holds, named by its id: a write, an export, a sync or a job. */
export function runLockPath(stateFolder: string, id: string): string {
  return join(stateFolder, 'runs', `${id}.lock`)
}
