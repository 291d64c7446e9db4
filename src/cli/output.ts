import {CliFailure} from '../errors.js'
import {PipeClosed, stop} from './signals.js'

/** Where data goes: waits until it was taken, and fails when it was not. */
export type Sink = {write(text: string | Uint8Array): Promise<void>}

/** Standard output. A reader that went away ends the run quietly; a full disk is a failure, never silence. */
export const standardOutput: Sink = {
  write: (text) => {
    takeOver()
    return new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(toFailure(error)) : resolve()))
    })
  },
}

let isTakenOver = false

/**
 * From the first write on, a failed write is told to whoever made it and to nobody else: they alone know what was done
 * before and which exit code that deserves.
 */
function takeOver(): void {
  if (isTakenOver) return
  isTakenOver = true
  process.stdout.removeAllListeners('error')
  process.stdout.on('error', () => {})
}

/** What a failed write to standard output means. */
export function toFailure(error: NodeJS.ErrnoException): CliFailure | PipeClosed {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') {
    const closed = new PipeClosed('the reader of standard output has gone')
    stop(closed)
    return closed
  }
  return new CliFailure(
    `Cannot write to standard output: ${error.code === 'ENOSPC' ? 'the disk is full' : error.code}.`,
    {
      code: error.code ?? 'OUTPUT',
      exit: 'storage',
      retry: 'safe',
      hints: ['Free some space and run the same command again.'],
    },
  )
}
