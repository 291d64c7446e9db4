import {randomBytes} from 'node:crypto'
import {closeSync, constants, openSync, readSync, unlinkSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {makePrivateFolder} from '../../core/private-file.js'
import {stateFailure} from '../../core/state-failure.js'
import {thousands} from '../../values/counted.js'

/** Bytes of a buffer that are valid until the next ones are asked for. */
export type Stretch = {readonly bytes: Buffer; readonly start: number; readonly end: number}

/** Bytes before the key and the row of an entry: the lengths of both. */
export const headBytes = 8
const stretchBytes = 1 << 16

/** The entries of one run in a file, from the first to the last. */
export class SortedRun implements Stretch {
  bytes: Buffer = Buffer.allocUnsafeSlow(stretchBytes)
  start = 0
  end = 0
  readonly #file: ScratchFile
  readonly #number: number
  #place: number
  readonly #last: number
  #filled = 0
  #keyStart = 0

  constructor(file: ScratchFile, number: number, [from, to]: readonly [number, number]) {
    this.#file = file
    this.#number = number
    this.#place = from
    this.#last = to
  }

  /** Goes to the next entry; false when there is none. */
  next(): boolean {
    if (!this.#has(headBytes)) return false
    this.#keyStart = this.end + headBytes
    const keyLength = this.bytes.readUInt32LE(this.end)
    const length = keyLength + this.bytes.readUInt32LE(this.end + 4)
    this.#has(headBytes + length)
    this.#keyStart = this.end + headBytes
    this.start = this.#keyStart + keyLength
    this.end = this.#keyStart + length
    return true
  }

  compare(other: SortedRun): number {
    const {bytes} = other
    const order = this.bytes.compare(bytes, other.#keyStart, other.start, this.#keyStart, this.start)
    return order === 0 ? this.#number - other.#number : order
  }

  /** Whether that many bytes follow the entry; reads them. */
  #has(length: number): boolean {
    if (this.#filled - this.end >= length) return true
    const rest = this.bytes.subarray(this.end, this.#filled)
    const into = length > this.bytes.length ? Buffer.allocUnsafeSlow(length * 2) : this.bytes
    rest.copy(into)
    this.bytes = into
    this.#filled = rest.length
    this.end = 0
    const room = Math.min(into.length - this.#filled, this.#last - this.#place)
    const read = this.#file.read(into.subarray(this.#filled, this.#filled + room), this.#place)
    this.#place += read
    this.#filled += read
    return this.#filled >= length
  }
}

/** The entries of all runs in one order. Time: a comparison for each doubling of the number of runs, for each entry. */
export function* mergeRuns(runs: readonly SortedRun[]): Generator<Stretch, void, void> {
  const open = runs.filter((run) => run.next()).sort((one, other) => one.compare(other))
  for (let run = open[0]; run; run = open[0]) {
    yield run
    open.shift()
    if (run.next()) open.splice(placeOf(open, run), 0, run)
  }
}

function placeOf(open: readonly SortedRun[], run: SortedRun): number {
  let [low, high] = [0, open.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((open[middle] as SortedRun).compare(run) < 0) low = middle + 1
    else high = middle
  }

  return low
}

const newFile = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
const privateMode = 0o600
const bytesPerMegabyte = 1_000_000

/** Temporary file that ends with the process. */
export type ScratchFile = ReturnType<typeof openScratchFile>

/** Opens a file and unlinks it, so that no other process can open it and no kill leaves it behind. Throws `storage`. */
export function openScratchFile(folder: string, purpose: string) {
  let size = 0
  const guard = <Result>(step: () => Result): Result => {
    try {
      return step()
    } catch (error) {
      const needed = size === 0 ? '' : `, at ${thousands(Math.ceil(size / bytesPerMegabyte))} MB,`
      throw stateFailure(error, `The temporary file of ${purpose}${needed}`, folder)
    }
  }
  const file = guard(() => openNameless(folder))

  return {
    get size() {
      return size
    },
    append: (bytes: Buffer) =>
      guard(() => {
        const from = size
        size += bytes.length
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, from + at)
      }),
    /** Fills a buffer from a place on, as far as there are bytes; returns how many. */
    read: (bytes: Buffer, place: number) =>
      guard(() => {
        let filled = 0
        for (let read = -1; read !== 0 && filled < bytes.length; filled += read)
          read = readSync(file, bytes, filled, bytes.length - filled, place + filled)
        return filled
      }),
    close: () => closeSync(file),
  }
}

function openNameless(folder: string): number {
  makePrivateFolder(folder)
  const path = join(folder, `scratch-${randomBytes(8).toString('hex')}`)
  const file = openSync(path, newFile, privateMode)
  unlinkSync(path)
  return file
}
