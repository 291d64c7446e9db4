import {Buffer} from 'node:buffer'
import {toColumn, toPath} from '../../formats/columns.js'
import {type LineNames, toLines} from '../../formats/lines.js'
import {valueAt as fieldAt, findName} from '../../formats/record-path.js'
import {
  createPageRows,
  emptyToken,
  endMask,
  escapedToken,
  kindShift,
  listToken,
  nullToken,
  type PageRows,
  type RowVisitor,
  type ScannedPage,
  type Shapes,
  valueOfToken,
} from '../../formats/scan/page-renderer.js'
import {isRecord, type JsonRecord, type JsonValue} from '../../values/json.js'
import type {Summary} from './count-lines.js'
import {type LineCells, type SummaryLine, unclearCell} from './line-cells.js'

/**
 * Adds records to a summary: batches, or lines with their batch around them. Throws what `Summary.add` throws. Time
 * O(tokens of the fields); memory: a plan a shape.
 */
export function createRecordAdder(summary: Summary, shapes: Shapes) {
  const columns = [...summary.fields, lineNames.list].map((field) => toColumn(toPath(field), 'text'))
  const toWay = (lines: LineNames | undefined) =>
    createWay(createPageRows({columns, lines, countsLost: false, shapes}), summary)
  const [ofBatches, ofLines] = [toWay(lineNames), toWay(undefined)]
  const parsed = (record: JsonRecord) => (hasList(record) ? ofBatches : ofLines).parsed(record)
  return {
    /**
     * A record of a scanned page. `parse` gives it where it has other fields than its like, or not all that are needed;
     * what it throws is thrown.
     */
    scanned(page: ScannedPage, index: number, parse: () => JsonRecord): void {
      if (!ofBatches.scanned(page, index) && !ofLines.scanned(page, index)) parsed(parse())
    },
    parsed,
  }
}

function createWay(rows: PageRows, summary: Summary) {
  const {recordColumns, lineColumns} = rows
  const isNeeded = (place: number) => summary.needed.includes(summary.fields[place] ?? '')
  const listColumn = summary.fields.length
  const lost = new Map<string, number>()
  let [isFirst, isLeft, isChecked] = [true, false, true]
  const nothing: Tokens = {integers: new Int32Array(), first: 0, offsets: new Int32Array()}
  let [ofRecord, ofLine] = [nothing, nothing]
  const cells: LineCells = {
    bytes: Buffer.alloc(0),
    starts: new Int32Array(listColumn + 1),
    ends: new Int32Array(listColumn + 1),
    values() {
      const line: SummaryLine[number][] = []
      for (const [tokens, places] of [
        [ofRecord, recordColumns],
        [ofLine, lineColumns],
      ] as const)
        for (const [at, place] of places.entries()) line[place] = valueAt(cells.bytes, tokens, at)
      return line
    },
  }

  const hasRecord = createHasAll(recordColumns.map(isNeeded))
  const list = recordColumns.indexOf(listColumn)
  const hasLine = createHasAll(lineColumns.map(isNeeded))
  const visitor: RowVisitor = {
    record(page, first, offsets) {
      isLeft = isChecked && (!hasRecord(offsets) || (offsets[list] as number) >= 0) // a list that is not spread over lines
      if (isLeft) return
      cells.bytes = page.bytes
      ofRecord = {integers: page.tokens, first, offsets}
      fill(cells, ofRecord, recordColumns)
    },
    row(page, first, offsets) {
      if (isFirst && isChecked && !hasLine(offsets)) isLeft = true
      if (isLeft) return
      ofLine = {integers: page.items, first, offsets}
      fill(cells, ofLine, lineColumns)
      summary.addCells(cells)
      isFirst = false
    },
  }

  return {
    /** Whether a record could be added from its tokens; if not, nothing of it was. */
    scanned(page: ScannedPage, index: number): boolean {
      isFirst = true
      isChecked = true
      return rows.visitPlanned(page, index, visitor, lost) >= 0 && !isLeft
    },
    parsed(record: JsonRecord): void {
      isChecked = false
      rows.visitRecord(record, visitor, lost)
    },
  }
}

/** Whether objects of a shape have all fields that are needed; nearly all are of the shape of the one before. */
function createHasAll(needed: readonly boolean[]): (offsets: Int32Array) => boolean {
  let last: Int32Array | undefined
  return (offsets) => {
    if (offsets === last) return true
    const hasAll = offsets.every((offset, at) => offset >= 0 || !needed[at])
    if (hasAll) last = offsets
    return hasAll
  }
}

type Tokens = {integers: Int32Array; first: number; offsets: Int32Array}

function valueAt(bytes: Buffer, {integers, first, offsets}: Tokens, at: number): JsonValue | undefined {
  const offset = offsets[at] as number
  return offset < 0 ? undefined : valueOfToken(bytes, integers, first + offset)
}

function fill({starts, ends}: LineCells, {integers, first, offsets}: Tokens, places: readonly number[]): void {
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number
    const offset = offsets[at] as number
    const packed = offset < 0 ? emptyCell : (integers[first + offset + 1] as number)
    const kind = packed >>> kindShift
    const isEmpty = kind === nullToken || kind === emptyToken
    const start = isEmpty ? 0 : (integers[first + offset] as number)
    starts[place] = kind === escapedToken || kind === listToken ? unclearCell : start
    ends[place] = isEmpty ? 0 : packed & endMask
  }
}

const emptyCell = nullToken << kindShift

export const lineNames: LineNames = {list: 'lineItems', line: 'lineItem'}

/** Finds the fields that a record does not have; a line item that is null has all of them. */
export function createFieldCheck(needed: readonly string[]): (record: JsonRecord) => string[] {
  const all = needed.map((field) => ({field, path: toPath(field)}))
  const own = all.filter(({path}) => path[0] !== lineNames.line)

  return (record) => {
    const isBatch = hasList(record)
    const hasLines = isBatch || record[lineNames.line] !== undefined
    const [line = record] = isBatch ? toLines(record, lineNames) : [record]
    const looked = !hasLines || isRecord(line[lineNames.line]) ? all : own
    return looked.filter(({path}) => fieldAt(line, path) === undefined).map(({field}) => field)
  }
}

function hasList(record: JsonRecord): boolean {
  return findName(record, lineNames.list) !== undefined
}
