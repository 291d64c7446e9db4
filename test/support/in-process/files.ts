import * as fs from 'node:fs'
import * as promises from 'node:fs/promises'
import {isAbsolute, join} from 'node:path'
import type {OwnProcess} from './own-process.js'
import type {InProcessOptions} from './program.js'

type Call = (...given: unknown[]) => unknown

/** Calls whose second argument is a path, too. */
const ofTwoPaths = /^(rename|copyFile|cp|link)(Sync)?$/

/** `node:fs` in a working folder, with standard streams and without a terminal. */
export function createFiles(own: OwnProcess, {cwd, input}: InProcessOptions) {
  const toPath = (given: unknown) => {
    if (given === '/dev/tty') throw Object.assign(new Error('ENXIO: /dev/tty'), {code: 'ENXIO'})
    return typeof given === 'string' && given !== '' && !isAbsolute(given) ? join(cwd, given) : given
  }
  const inFolder = (module: object) =>
    Object.fromEntries(
      Object.entries(module).map(([name, call]) => [name, isCall(name, call) ? placed(name, call) : call]),
    )
  const placed = (name: string, call: Call) => {
    const inPlace: Call = (first, second, ...rest) =>
      call(toPath(first), ofTwoPaths.test(name) ? toPath(second) : second, ...rest)
    return Object.assign(inPlace, call)
  }
  let position = 0
  const files = inFolder(fs) as unknown as typeof fs
  const streams = {
    writeSync: (descriptor: number, bytes: Uint8Array | string, ...rest: number[]) => {
      if (descriptor !== 1 && descriptor !== 2) return (fs.writeSync as Call)(descriptor, bytes, ...rest)
      const [offset = 0, length] = typeof bytes === 'string' ? [] : rest
      const written = Buffer.from(bytes as Uint8Array).subarray(
        offset,
        length === undefined ? undefined : offset + length,
      )
      own.print(descriptor, written)
      return written.length
    },
    fstatSync: (descriptor: number) => (descriptor > 2 ? fs.fstatSync(descriptor) : fs.statSync('/dev/null')), // no file
    readSync: (descriptor: number, bytes: Uint8Array, ...rest: unknown[]) => {
      if (descriptor !== 0) return (fs.readSync as Call)(descriptor, bytes, ...rest)
      const [from, all] = [position, Buffer.from(input ?? '')]
      position = Math.min(from + bytes.length, all.length)
      return all.copy(bytes, 0, from, position)
    },
  }
  const inPromises = inFolder(promises)
  return {fs: {...files, ...streams, promises: inPromises}, promises: inPromises}
}

const isCall = (name: string, call: unknown): call is Call => typeof call === 'function' && /^[a-z]/.test(name)
