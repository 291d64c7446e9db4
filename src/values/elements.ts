import {isUtf8} from 'node:buffer'
import {backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote} from './byte-codes.js'

import {JsonProblem, type JsonValue, maximumDepth, parseJson} from './json.js'

/** The elements of a JSON array that was proven complete, still unparsed. */
export type Elements = {
  readonly count: number
  /** The array itself; empty once it was released. */
  readonly bytes: Buffer
  /** Whether every element begins as an object does. */
  readonly allObjects: boolean
  /** One element, parsed without loss of digits. Throws `JsonProblem` when it is not JSON inside. */
  parse(index: number): JsonValue
  /** Lets go of the bytes, which may be written over then; nothing can be parsed from then on. */
  release(): void
}

/** Elements with the places where each begins and ends, in bytes, one after the other. */
export type SplitElements = Elements & {readonly bounds: readonly number[]}

const byteOrderMark = [0xef, 0xbb, 0xbf]

/**
 * Cuts the top-level JSON array of an answer into its elements, so that they can be parsed one by one. Before it
 * returns it has proven that the bytes are UTF-8, that the array is closed, that nothing but blanks follows it, and
 * that no element is missing or nested too deeply. A byte order mark may lead. Throws `JsonProblem` otherwise.
 */
export function splitElements(bytes: Buffer): SplitElements {
  if (!isUtf8(bytes)) throw new JsonProblem('not UTF-8')
  const bounds = findBounds(bytes)
  let kept = bytes
  return {
    count: bounds.length / 2,
    bounds,
    get bytes() {
      return kept
    },
    allObjects: everyElementIsObject(bytes, bounds),
    parse(index) {
      const [start, end] = bounds.slice(index * 2, index * 2 + 2)
      if (start === undefined || end === undefined || end > kept.length) throw new RangeError(`no element ${index}`)
      return parseJson(kept.toString('utf8', start, end))
    },
    release() {
      kept = nothing
    },
  }
}

const nothing = Buffer.alloc(0)

/** Start and end of each element, one after the other. */
function findBounds(bytes: Buffer): number[] {
  const open = skipBlanks(bytes, afterByteOrderMark(bytes))
  if (bytes[open] !== openBracket) throw new JsonProblem('not a JSON array')
  const bounds: number[] = []
  let start = open + 1
  let depth = 1
  const {length} = bytes

  for (let at = start; at < length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = endOfText(bytes, at)
    else if (byte === openBrace || byte === openBracket) {
      if (++depth > maximumDepth) throw new JsonProblem('nested too deeply')
    } else if (byte === closeBrace || byte === closeBracket) {
      if (--depth > 0) continue
      if (byte !== closeBracket) throw new JsonProblem('not a JSON array')
      addLast(bytes, bounds, start, at)
      if (skipBlanks(bytes, at + 1) !== length) throw new JsonProblem('followed by more than the array')
      return bounds
    } else if (byte === comma && depth === 1) {
      addElement(bytes, bounds, start, at)
      start = at + 1
    }
  }

  throw new JsonProblem('cut short')
}

function addElement(bytes: Buffer, bounds: number[], start: number, end: number): void {
  const from = skipBlanks(bytes, start)
  if (from >= end) throw new JsonProblem('an element is missing')
  bounds.push(from, end)
}

/** Only an array without any element may have nothing before its end. */
function addLast(bytes: Buffer, bounds: number[], start: number, end: number): void {
  const isEmpty = bounds.length === 0 && skipBlanks(bytes, start) >= end
  if (!isEmpty) addElement(bytes, bounds, start, end)
}

function endOfText(bytes: Buffer, start: number): number {
  const {length} = bytes
  for (let at = start + 1; at < length; at++) {
    const byte = bytes[at]
    if (byte === quote) return at
    if (byte === backslash) at++
  }

  throw new JsonProblem('cut short')
}

function skipBlanks(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && isBlank(bytes[at] as number)) at++
  return at
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function afterByteOrderMark(bytes: Buffer): number {
  return byteOrderMark.every((byte, index) => bytes[index] === byte) ? 3 : 0
}

function everyElementIsObject(bytes: Buffer, bounds: number[]): boolean {
  for (let index = 0; index < bounds.length; index += 2) {
    if (bytes[bounds[index] as number] !== openBrace) return false
  }

  return true
}
