import {cutMiddle, widthOf} from '../../../core/text-width.js'
import {type Column, isNumeric} from '../../columns.js'

/** Columns of the terminal between two columns of a table. */
export const gapWidth = 2

/** How wide the content of a column is, and how far it may be cut. */
export type Wanted = {readonly header: string; readonly natural: number; readonly least: number}

const leastText = 12
const leastChosenText = 4

const isId = /(?:^|\.)id$|Id$/

/** Numbers, dates and the like say nothing when they are cut, so only texts and headers are; an id cannot be used then. */
export function toWanted(column: Column, header: string, cellWidths: number, isChosen: boolean): Wanted {
  const natural = Math.max(widthOf(header), cellWidths)
  const least = Math.min(natural, isChosen ? leastChosenText : leastText)
  const {kind, name} = column
  const isWhole = column.isWhole || isId.test(name) || isNumeric(kind) || kind === 'dateTime' || kind === 'boolean'
  return {header, natural, least: isWhole ? Math.max(least, cellWidths) : least}
}

/**
 * The widths of the first columns that fit into `width` columns of the terminal: all of them at their natural width if
 * that fits, else as many as fit when cut as far as they may be, with what is left over given to the narrowest first.
 */
export function fitWidths(wanted: readonly Wanted[], width: number | undefined): number[] {
  const natural = wanted.map((one) => one.natural)
  if (width === undefined || totalOf(natural) <= width) return natural
  const shown = fitting(wanted, width)
  const [only] = shown
  if (shown.length === 1 && only && only.least > width) return [width]
  return grow(shown, width - gapWidth * (shown.length - 1))
}

function fitting(wanted: readonly Wanted[], width: number): Wanted[] {
  let shown: Wanted[] = []
  for (const one of wanted) {
    const more = tellApart(shown, one)
    if (shown.length > 0 && totalOf(more.map(({least}) => least)) > width) break
    shown = more
  }

  return shown
}

/** Columns and one more, each so wide that no two headers are cut to the same text. */
function tellApart(shown: readonly Wanted[], one: Wanted): Wanted[] {
  const widths = shown.map((other) => widthApart(one.header, other.header))
  const raise = (wanted: Wanted, width: number) => ({...wanted, least: Math.max(wanted.least, width)})
  return [...shown.map((other, place) => raise(other, widths[place] ?? 0)), raise(one, Math.max(0, ...widths))]
}

/** The smallest width at which two headers are not cut to the same text; at each larger one they are not either. */
function widthApart(one: string, other: string): number {
  const longest = Math.min(widthOf(one), widthOf(other))
  let width = leastChosenText
  while (width < longest && cutMiddle(one, width) === cutMiddle(other, width)) width++
  return Math.min(width, longest)
}

/** Raises the narrowest columns together until the room is used up or each has its natural width. */
function grow(shown: readonly Wanted[], room: number): number[] {
  const widths = shown.map(({least}) => least)
  let left = room - sum(widths)
  while (left > 0) {
    const place = narrowestOf(shown, widths)
    if (place === undefined) break
    widths[place] = (widths[place] ?? 0) + 1
    left--
  }

  return widths
}

function narrowestOf(shown: readonly Wanted[], widths: readonly number[]): number | undefined {
  let best: number | undefined
  for (const [place, {natural}] of shown.entries()) {
    const width = widths[place] ?? 0
    if (width < natural && (best === undefined || width < (widths[best] ?? 0))) best = place
  }

  return best
}

function totalOf(widths: readonly number[]): number {
  return sum(widths) + gapWidth * (widths.length - 1)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
