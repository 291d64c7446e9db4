import {closeSync, openSync, readFileSync} from 'node:fs'
import {ReadStream, WriteStream} from 'node:tty'
import {toTruth} from '../../values/truth.js'
import {redactStream} from './redact.js'

/** Where a person is asked. `isErrorOutput`: standard error is shown there too. */
export type Terminal = {input: ReadStream; output: WriteStream; isErrorOutput: boolean; close(): void}

const [inputPath, outputPath] =
  process.platform === 'win32' ? ['\\\\.\\CONIN$', '\\\\.\\CONOUT$'] : ['/dev/tty', '/dev/tty']

/** Whether a person can be asked: there is a terminal, also behind redirected streams, and this process may use it. */
export function hasTerminal(): boolean {
  if (isInBackground()) return false
  if (isStandard()) return true
  const descriptors = openBoth()
  for (const descriptor of descriptors ?? []) closeSync(descriptor)
  return descriptors !== undefined
}

/** Whether this is a job of a CI system, by the variable CI; some set it to their name. */
export function isInCi({CI = ''}: NodeJS.ProcessEnv = process.env): boolean {
  return CI !== '' && toTruth(CI) !== false
}

/** The standard streams where both are a terminal, else the terminal of the session. Throws without one. */
export function openTerminal(): Terminal {
  const {stdin, stderr} = process
  if (isStandard()) {
    return {input: stdin, output: withSize(stderr), isErrorOutput: true, close: () => void stdin.pause()}
  }

  const [read, write] = openBoth() ?? []
  if (read === undefined || write === undefined) throw new TypeError('there is no terminal')
  const input = new ReadStream(read)
  const output = withSize(new WriteStream(write))
  redactStream(output)
  const close = () => {
    input.destroy()
    output.destroy()
  }
  return {input, output, isErrorOutput: stderr.isTTY === true, close}
}

function isStandard(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Descriptors of the terminal of the session, for reading and for writing. */
function openBoth(): [number, number] | undefined {
  try {
    const read = openSync(inputPath, 'r+')
    try {
      return [read, openSync(outputPath, 'r+')]
    } catch {
      closeSync(read)
      return undefined
    }
  } catch {
    return undefined
  }
}

/** A terminal of size 0 x 0, as `script` and `expect` make them, counts as 80 x 24. */
function withSize(stream: WriteStream): WriteStream {
  stream.columns ||= 80
  stream.rows ||= 24
  return stream
}

/** Whether this is a background job, which the system stops when it asks. Known on Linux only. */
function isInBackground(): boolean {
  try {
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return foreground !== '-1' && foreground !== group
  } catch {
    return false
  }
}
