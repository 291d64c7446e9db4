import {Buffer} from 'node:buffer'
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  isBlank,
  openBrace,
  openBracket,
  quote,
  skipBlanks,
} from '../../values/byte-codes.js'
import {endOfName, endOfNumber, endOfWord, type ScannerOptions, TextScanner} from './json-bytes.js'
import {createShapes, isAt, type Key, maximumTokens, type Shapes, type State} from './page-shapes.js'
import * as token from './page-tokens.js'
import {kindShift, TokenStore} from './page-tokens.js'

const nothing = Buffer.alloc(0)
/** Integers that are allocated for each byte, more than most answers need: growing an array would fragment memory. */
const integersPerByte = 1 / 8

/**
 * Scans one object after the other into tokens. An object that it accepts is strict JSON, has no key twice, and has a
 * shape. It refuses a key with an escape or of digits, a list of anything but objects, and everything that is broken.
 */
export class ObjectScanner {
  readonly shapes: Shapes = createShapes()
  readonly records = new TokenStore()
  readonly items = new TokenStore()
  /** Shape of the object that was accepted last. */
  shape = -1
  /** Whether printing the objects since it was set to true would give the same bytes. */
  isCompact = true
  private readonly root = this.shapes.root()
  private readonly texts: TextScanner
  private bytes: Buffer = nothing
  private view: DataView = new DataView(nothing.buffer, 0, 0)
  private at = 0

  constructor(options: ScannerOptions = {}) {
    this.texts = new TextScanner(options)
  }

  open(bytes: Buffer): void {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.records.begin(bytes.length * integersPerByte)
    this.items.begin(bytes.length * integersPerByte)
  }

  /** The end of the record that begins at `start`, its tokens added to `records`; -1 when it was refused. */
  record(start: number): number {
    const {count} = this.records
    const itemsBefore = this.items.count
    this.isCompact = true
    this.texts.isCompact = true
    const end = this.object(this.records, start, this.root)
    this.isCompact &&= this.texts.isCompact
    if (end >= 0) return end
    this.records.count = count
    this.items.count = itemsBefore
    return -1
  }

  private object(store: TokenStore, start: number, root: State): number {
    store.ensure(maximumTokens)
    const {bytes, view, texts} = this
    const {integers} = store
    let {count} = store
    let state = root
    let at = start + 1

    for (;;) {
      let key = state.likely
      if (key !== undefined && isAt(view, at, key.words, key.length)) {
        at += key.length
        if ((bytes[at] as number) <= 0x20) at = this.skip(at)
      } else {
        key = this.nextKey(state, at)
        at = this.at
        if (key === undefined) {
          if (at < 0) return -1
          state = state.closed ??= this.shapes.follow(state, undefined, 'empty')
          if (state.shape < 0) continue
          this.shape = state.shape
          store.count = count
          return at
        }
      }

      const byte = bytes[at] as number
      if (byte === quote) {
        const end = texts.end(bytes, at + 1)
        if (end < 0) return -1
        integers[count++] = at + 1
        integers[count++] = end | (texts.kind << kindShift)
        at = end + 1
        state = key.value ??= this.shapes.follow(state, key, 'value')
      } else if (byte <= 0x39) {
        const end = endOfNumber(bytes, at)
        if (end < 0) return -1
        integers[count++] = at
        integers[count++] = end | (token.numberToken << kindShift)
        at = end
        state = key.value ??= this.shapes.follow(state, key, 'value')
      } else if (byte === openBrace) {
        at++
        state = key.object ??= this.shapes.follow(state, key, 'object')
      } else if (byte === openBracket) {
        if (store === this.items) return -1
        integers[count++] = this.items.count
        const size = this.list(key, at)
        if (size < 0) return -1
        integers[count++] = size | (token.listToken << kindShift)
        integers[count++] = at
        integers[count++] = this.at
        at = this.at
        state = key.list ??= this.shapes.follow(state, key, 'list')
      } else {
        const end = endOfWord(bytes, at)
        if (end < 0) return -1
        integers[count++] = at
        integers[count++] = end | ((byte === 0x6e ? token.nullToken : token.wordToken) << kindShift)
        at = end
        state = key.value ??= this.shapes.follow(state, key, 'value')
      }
    }
  }

  /** The number of objects in a list, its end in `at`; each begins with its shape among the items. -1 when refused. */
  private list(key: Key, start: number): number {
    const {bytes, items} = this
    key.items ??= this.shapes.root()
    let at = this.skip(start + 1)
    let size = 0
    while (bytes[at] === openBrace) {
      const place = items.count++
      at = this.object(items, at, key.items)
      if (at < 0) return -1
      items.integers[place] = this.shape
      size++
      at = this.skip(at)
      if (bytes[at] !== comma) break
      at = this.skip(at + 1)
      if (bytes[at] !== openBrace) return -1
    }
    if (bytes[at] !== closeBracket) return -1
    this.at = at + 1
    return size
  }

  private skip(start: number): number {
    if (!isBlank(this.bytes[start])) return start
    this.isCompact = false
    return skipBlanks(this.bytes, start)
  }

  /** The key at `at`, learnt if need be; undefined at the end of the object, and with `at` -1 if refused. */
  private nextKey(state: State, start: number): Key | undefined {
    const {bytes} = this
    let at = this.skip(start)
    this.at = at + 1
    if (bytes[at] === closeBrace) return undefined
    this.at = -1
    if (!state.isFirst) {
      if (bytes[at] !== comma) return undefined
      at = this.skip(at + 1)
    }
    const {likely} = state
    if (likely !== undefined && isAt(this.view, at, likely.bare, likely.bareLength)) {
      this.at = this.skip(at + likely.bareLength)
      return likely
    }
    if (bytes[at] !== quote) return undefined
    const end = endOfName(bytes, at + 1)
    if (end < 0) return undefined
    const name = bytes.subarray(at + 1, end)
    at = this.skip(end + 1)
    if (bytes[at] !== colon) return undefined
    const key = state.keys.find((known) => known.name.equals(name)) ?? this.shapes.learnKey(state, name)
    if (key === undefined) return undefined
    state.likely = key
    this.at = this.skip(at + 1)
    return key
  }
}
