import {toForeignCode} from '../../contract/failure-codes.js'
import {CliFailure} from '../../core/errors.js'
import {createProcessState} from '../../core/process-state.js'
import {toShownData} from '../../formats/safe-text.js'
import {findStderrError, toLog} from './error-output.js'
import {PipeClosed, stop} from './signals.js'

/** A destination of data. Resolves once the data was accepted, and throws where it was not. */
export type Sink = {write(text: string | Uint8Array): Promise<void>}

/** Standard output. A reader that left ends the run quietly; a full disk is a failure. */
export const standardOutput: Sink = {
  write: (text) => {
    takeOverErrors()
    return new Promise((resolve, reject) => {
      process.stdout.write(toLog(1, text), (error) => (error ? reject(toFailure(error)) : resolve()))
    })
  },
}

/** Standard output for data: exact, but for characters that a terminal would act on. */
export const dataOutput: Sink = {write: (text) => standardOutput.write(asShown(text))}

/** Data with control characters escaped where standard output is a terminal. */
export function asShown<Data extends string | Uint8Array>(data: Data): Data | string {
  return process.stdout.isTTY ? toShownData(typeof data === 'string' ? data : Buffer.from(data).toString()) : data
}

/** Writes data to standard output without waiting, just before the process ends. */
export function writeLast(text: string): void {
  void dataOutput.write(text).catch(() => undefined)
}

const state = createProcessState(() => ({isTakenOver: false}))

/** Keeps a failed write from ending the process: its caller, which knows the exit code for it, is told. */
function takeOverErrors(): void {
  if (state().isTakenOver) return
  state().isTakenOver = true
  process.stdout.removeAllListeners('error')
  process.stdout.on('error', () => {})
}

/** The failure to write messages on standard error; undefined when they were written or their reader left. */
export async function findLostMessages(): Promise<CliFailure | undefined> {
  const error = await findStderrError()
  return error && error.code !== 'EPIPE' ? lostMessages(error) : undefined
}

function lostMessages(error: NodeJS.ErrnoException): CliFailure {
  const {message, code} = cannotWrite('standard error', error)
  const hints = ['This output is complete; messages of the command are missing.']
  return new CliFailure(message, {code, exit: 'storage', changed: 'unknown', retry: 'no', hints})
}

/** Meaning of a failed write to standard output. */
export function toFailure(error: NodeJS.ErrnoException): CliFailure | PipeClosed {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') {
    const closed = new PipeClosed('the reader of standard output has gone')
    stop(closed)
    return closed
  }
  return cannotWrite('standard output', error)
}

function cannotWrite(where: string, {code}: NodeJS.ErrnoException): CliFailure {
  return new CliFailure(`Cannot write to ${where}: ${code === 'ENOSPC' ? 'the disk is full' : code}.`, {
    code: code === undefined ? 'OUTPUT' : toForeignCode(code),
    exit: 'storage',
    retry: 'safe',
    hints: ['Free some space and run the same command again.'],
  })
}
