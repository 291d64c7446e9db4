import type {MirrorColumn, MirrorKind} from '../../derive/mirror/types.js'
import {toCellText} from '../../formats/flatten.js'
import {
  emptyToken,
  endMask,
  kindShift,
  nullToken,
  numberToken,
  PageOutput,
  textToken,
  valueOfToken,
  wordToken,
} from '../../formats/scan/page-renderer.js'
import {toPlainInteger, toPlainMicroseconds} from '../../formats/write/plain-digits.js'
import type {JsonValue} from '../../values/json.js'
import {fits} from '../load/fits.js'
import type {LoadTable, RowTarget} from '../load/load-table.js'

const tab = 0x09
const newline = 0x0a
const backslash = 0x5c
const bigN = 0x4e
const smallE = 0x65
/** A separator, and `\N` for null. */
const room = 4

const escapes: Readonly<Record<string, string>> = {'\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r'}

/** Rows in the text format of COPY. */
export type CopyRows = RowTarget & {readonly output: PageOutput}

/**
 * Writes rows as COPY reads them. The text of a JSON string without escapes holds neither tab, line end nor backslash,
 * so its bytes are copied as they came.
 */
export function createCopyRows({columns}: LoadTable): CopyRows {
  const output = new PageOutput()
  const kinds = columns.map(({kind}: MirrorColumn) => kind)

  return {
    output,
    token(column, bytes, integers, at) {
      const kind = kinds[column] as MirrorKind
      const from = integers[at] as number
      const packed = integers[at + 1] as number
      const token = packed >>> kindShift
      if (token === nullToken) return putNull()
      const end = packed & endMask
      if (!isPlain(kind, token, bytes, from, end)) return putValue(kind, valueOfToken(bytes, integers, at))
      output.ensure(end - from + room)
      const {bytes: out} = output
      let to = output.at
      for (let place = from; place < end; place++) out[to++] = bytes[place] as number
      out[to++] = tab
      output.at = to
      return true
    },
    value: (column, value) => putValue(kinds[column] as MirrorKind, value),
    empty: () => void putNull(),
    end(extra) {
      if (extra === null) putNull()
      else putText(extra)
      output.bytes[output.at - 1] = newline
    },
  }

  function putValue(kind: MirrorKind, value: JsonValue): boolean {
    const isHeld = fits(kind, value)
    if (isHeld) putText(toCellText(value) ?? '')
    else putNull()
    return isHeld
  }

  function putText(text: string): void {
    output.text(text.replaceAll(/[\\\t\n\r]/g, (letter) => escapes[letter] as string))
    output.ensure(room)
    output.bytes[output.at++] = tab
  }

  function putNull(): true {
    output.ensure(room)
    output.bytes[output.at++] = backslash
    output.bytes[output.at++] = bigN
    output.bytes[output.at++] = tab
    return true
  }
}

/** Whether the bytes of a token are what COPY reads, and the column holds it: all else is looked at as a value. */
function isPlain(kind: MirrorKind, token: number, bytes: Buffer, from: number, end: number): boolean {
  switch (kind) {
    case 'integer':
      return token === numberToken && !Number.isNaN(toPlainInteger(bytes, from, end))
    case 'decimal':
      return token === numberToken && end - from < 100 && !hasExponent(bytes, from, end)
    case 'boolean':
      return token === wordToken
    case 'utcTime':
    case 'localTime':
      return token === textToken && !Number.isNaN(toPlainMicroseconds(bytes, from, end))
    case 'text':
      return token === textToken || token === emptyToken
    case 'json':
      return false
  }
}

function hasExponent(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (((bytes[at] as number) | 0x20) === smallE) return true
  return false
}
