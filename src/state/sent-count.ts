import {closeSync, constants, openSync, readFileSync, writeSync} from 'node:fs'

const digits = 12

function countPath(runPath: string): string {
  return `${runPath}-sent`
}

/**
 * Notes beside a journal how many requests it says were sent. A witness of its own: it is written after the journal and
 * before the request, so that a journal that knows of fewer has lost entries, such as by a log that was deleted.
 */
export function noteSentCount(runPath: string, count: number): void {
  try {
    const file = openSync(countPath(runPath), constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
    try {
      writeSync(file, String(count).padStart(digits, '0'), 0)
    } finally {
      closeSync(file)
    }
  } catch {
    // The journal itself has the word; without the witness only its own damage is not seen.
  }
}

/** Requests that were noted as sent; 0 where nothing is noted. */
export function readSentCount(runPath: string): number {
  try {
    const count = Number(readFileSync(countPath(runPath), 'latin1'))
    return Number.isSafeInteger(count) ? count : 0
  } catch {
    return 0
  }
}
