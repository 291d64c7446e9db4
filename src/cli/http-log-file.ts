import {openSync, writeSync} from 'node:fs'
import type {HttpLogEntry} from '../client/types.js'
import {CliFailure} from '../errors.js'
import {redact} from './redact.js'

const privateFileMode = 0o600

/** Opens the file of `--log-http` for appending. Throws `storage` at once when it cannot be written. */
export function openHttpLog(path: string): (entry: HttpLogEntry) => void {
  const descriptor = openLog(path)
  return (entry) => {
    try {
      writeSync(descriptor, `${redact(JSON.stringify(entry))}\n`)
    } catch (error) {
      throw logFailure(path, error)
    }
  }
}

function openLog(path: string): number {
  try {
    return openSync(path, 'a', privateFileMode)
  } catch (error) {
    throw logFailure(path, error)
  }
}

function logFailure(path: string, error: unknown): CliFailure {
  return new CliFailure(`Cannot write the log ${path}: ${(error as NodeJS.ErrnoException).code}`, {
    code: 'LOG_FILE',
    exit: 'storage',
    hints: ['Choose another file for --log-http.'],
  })
}
