import type {Buffer} from 'node:buffer'
import type {SortKey} from '../sort/sort-key.js'
import * as token from './page-tokens.js'
import {endMask, kindShift} from './page-tokens.js'
import {valueOfToken} from './record-scan.js'

/** Adds the value of a token to the key of a row. An offset of -1 is a value that is absent. */
export function putToken(
  key: SortKey,
  body: Buffer,
  integers: Int32Array,
  first: number,
  offset: number,
  descending: boolean,
): void {
  const place = first + offset
  const from = integers[place] as number
  const packed = integers[place + 1] as number
  const end = packed & endMask
  const kind = offset < 0 ? token.nullToken : packed >>> kindShift
  if (kind === token.numberToken) key.number(body.toString('latin1', from, end), descending)
  else if (kind === token.nullToken) key.value(null, descending)
  else if (kind === token.escapedToken || kind === token.listToken)
    key.value(valueOfToken(body, integers, place), descending)
  else key.text(body, from, end, descending)
}
