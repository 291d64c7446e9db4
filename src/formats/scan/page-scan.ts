import {Buffer} from 'node:buffer'
import {createShapes, type Edge, isAt, maximumTokens, type Shapes, type Spot} from './page-shapes.js'
import {type ScannerOptions, TextScanner} from './page-texts.js'
import * as token from './page-tokens.js'
import {isBlank, kindShift, quote, skipBlanks, TokenStore} from './page-tokens.js'

const nothing = Buffer.alloc(0)
/** More than most answers need: what is not written to takes no memory, but what grows leaves holes in it behind. */
const integersPerByte = 1 / 8

/**
 * Scans one object after the other into tokens. It knows everything about the objects that it accepts: they are JSON
 * by the letter, no key stands twice, and their shape is a leaf. It refuses what it is not made for, and then another
 * must look: a key with an escape or of digits, lists of anything but objects, and everything that is broken.
 */
export class ObjectScanner {
  readonly shapes: Shapes = createShapes()
  readonly records = new TokenStore()
  readonly items = new TokenStore()
  /** Of the object that was accepted last. */
  leaf = -1
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

  private object(store: token.TokenStore, start: number, root: Spot): number {
    store.ensure(maximumTokens)
    const {bytes, view, texts} = this
    const {integers} = store
    let {count} = store
    let spot = root
    let at = start + 1

    for (;;) {
      let edge = spot.likely
      if (edge !== undefined && isAt(view, at, edge.words, edge.length)) at += edge.length
      else {
        edge = this.nextEdge(spot, at)
        at = this.at
        if (edge === undefined) {
          if (at < 0) return -1
          spot = spot.closed ??= this.shapes.follow(spot, undefined, 'empty')
          if (spot.leaf < 0) continue
          this.leaf = spot.leaf
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
        spot = edge.value ??= this.shapes.follow(spot, edge, 'value')
      } else if (byte <= 0x39) {
        const end = token.endOfNumber(bytes, at)
        if (end < 0) return -1
        integers[count++] = at
        integers[count++] = end | (token.numberToken << kindShift)
        at = end
        spot = edge.value ??= this.shapes.follow(spot, edge, 'value')
      } else if (byte === token.openBrace) {
        at++
        spot = edge.object ??= this.shapes.follow(spot, edge, 'object')
      } else if (byte === token.openBracket) {
        if (store === this.items) return -1
        integers[count++] = this.items.count
        const size = this.list(edge, at)
        if (size < 0) return -1
        integers[count++] = size | (token.listToken << kindShift)
        integers[count++] = at
        integers[count++] = this.at
        at = this.at
        spot = edge.list ??= this.shapes.follow(spot, edge, 'list')
      } else {
        const end = token.endOfWord(bytes, at)
        if (end < 0) return -1
        integers[count++] = at
        integers[count++] = end | ((byte === 0x6e ? token.nullToken : token.wordToken) << kindShift)
        at = end
        spot = edge.value ??= this.shapes.follow(spot, edge, 'value')
      }
    }
  }

  /** The number of objects in a list, its end in `at`; each begins with its leaf among the items. -1 when refused. */
  private list(edge: Edge, start: number): number {
    const {bytes, items} = this
    edge.items ??= this.shapes.root()
    let at = this.skip(start + 1)
    let size = 0
    while (bytes[at] === token.openBrace) {
      const place = items.count++
      at = this.object(items, at, edge.items)
      if (at < 0) return -1
      items.integers[place] = this.leaf
      size++
      at = this.skip(at)
      if (bytes[at] !== token.comma) break
      at = this.skip(at + 1)
      if (bytes[at] !== token.openBrace) return -1
    }
    if (bytes[at] !== token.closeBracket) return -1
    this.at = at + 1
    return size
  }

  private skip(start: number): number {
    if (!isBlank(this.bytes[start])) return start
    this.isCompact = false
    return skipBlanks(this.bytes, start)
  }

  /** The edge of the key at `at`, learnt if need be; undefined at the end of the object, and with `at` -1 if refused. */
  private nextEdge(spot: Spot, start: number): Edge | undefined {
    const {bytes} = this
    let at = this.skip(start)
    this.at = at + 1
    if (bytes[at] === token.closeBrace) return undefined
    this.at = -1
    if (!spot.isFirst) {
      if (bytes[at] !== token.comma) return undefined
      at = this.skip(at + 1)
    }
    if (bytes[at] !== quote) return undefined
    const end = token.endOfName(bytes, at + 1)
    if (end < 0) return undefined
    const name = bytes.subarray(at + 1, end)
    at = this.skip(end + 1)
    if (bytes[at] !== token.colon) return undefined
    const edge = spot.edges.find((known) => known.name.equals(name)) ?? this.shapes.learnKey(spot, name)
    if (edge === undefined) return undefined
    spot.likely = edge
    this.at = this.skip(at + 1)
    return edge
  }
}
