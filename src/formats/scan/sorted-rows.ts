import {closeBracket, comma, openBracket} from '../../values/byte-codes.js'
import {splitElements} from '../../values/elements.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import type {Column} from '../columns.js'
import type {Lost} from '../flatten.js'
import type {LineNames} from '../lines.js'
import {PageOutput} from '../page-output.js'
import {findName} from '../record-path.js'
import {SortKey} from '../sort/sort-key.js'
import {Sorter} from '../sort/sorter.js'
import {createUnknownFields} from '../unknown-columns.js'
import {freeBytes, integersPerRecord, notCompact, type ScannedPage} from './page-elements.js'
import {createPageIntake, type IntakeOptions, type RowOutput} from './page-intake.js'
import {createPageRows, noVisitor} from './page-rows.js'
import type {Field, Shapes} from './page-shapes.js'
import * as token from './page-tokens.js'
import {endMask, kindShift} from './page-tokens.js'
import {type RowVisitor, rowsOf} from './printed-rows.js'
import {parseRecord, valueOfToken} from './record-scan.js'

/** The order of rows before they are written. */
export type Order = {
  by: readonly {readonly column: Column; readonly descending: boolean}[]
  /** Whether columns of the fields that the contract does not know are learnt. */
  learns: boolean
  /** Most rows that are written. */
  limit?: number | undefined
  /** The folder for rows that do not fit in memory; asked for only then. */
  folder: () => string
  /** Ends the writing. */
  signal: AbortSignal
}

const answerBytes = 1 << 18

/**
 * Puts rows in order, as records of one row each, before they go to what `open` opens; its columns are learnt from all of
 * them. Nothing is written before the end. Time: that of an intake and of a sorter. Memory: a page, and that of a sorter.
 */
export async function createSortedRows<Options extends IntakeOptions>(
  options: Options,
  {by, learns, limit = Number.POSITIVE_INFINITY, folder, signal}: Order,
  open: (options: Options) => Promise<RowOutput>,
): Promise<RowOutput> {
  const {columns, lines, conditions} = options
  const intake = createPageIntake({...options, chosen: undefined}, {waitsFor: 'nothing'})
  const {shapes} = intake
  const keyColumns = by.map(({column}) => column)
  const keyRows = createPageRows({columns: keyColumns, lines, countsLost: false, shapes, conditions})
  const known = createPageRows({columns: learns ? columns : [], lines, countsLost: learns, shapes})
  const parts = by.map(({descending}, place) => {
    const ofLine = keyRows.lineColumns.indexOf(place)
    return {descending, isOfLine: ofLine >= 0, at: ofLine >= 0 ? ofLine : keyRows.recordColumns.indexOf(place)}
  })
  const cut = createRowCutter(lines, shapes)
  const sorter = new Sorter({limit, folder})
  const fields = createUnknownFields(columns)
  const knownShapes = new Set<number>()
  const output = new PageOutput()
  const lost: Lost = new Map()
  const keys = new SortKey()
  let keyEnds: number[] = []
  /** Places of the rows of a record. */
  let rows: number[] = []
  let ofRecord: {first: number; cells: Int32Array} = {first: 0, cells: new Int32Array()}
  let tokens = new Int32Array()
  let isNewShape = false
  const openWith = (unknown: readonly Column[]) =>
    open({...options, columns: [...columns, ...unknown], conditions: [], names: undefined})
  let target = await openWith([])
  const written = {...target.written}

  const visitor: RowVisitor = {
    record(page, first, cells) {
      ofRecord = {first, cells}
      tokens = page.tokens as Int32Array<ArrayBuffer>
    },
    row(page, first, cells, line) {
      rows.push(line)
      if (first > 0) seeShape(page.items[first - 1] as number)
      for (const {descending, isOfLine, at} of parts) {
        if (isOfLine) putToken(keys, page.bytes, page.items, first, cells[at] as number, descending)
        else putToken(keys, page.bytes, tokens, ofRecord.first, ofRecord.cells[at] as number, descending)
      }
      keyEnds.push(keys.length)
    },
  }

  return {
    scan: intake.scan,
    written,
    async put(answer, take) {
      const {bytes} = answer
      for (const {page, wanted} of intake.page(answer, take).ready) {
        for (const index of wanted) add(page, index)
        page.release()
      }
      freeBytes(bytes)
    },
    async end() {
      intake.end()
      const unknown = fields.columns()
      if (unknown.length > 0) target = await openWith(unknown) // nothing was written yet
      for (const answer of answers()) {
        signal.throwIfAborted()
        await target.put(target.scan(answer), 'all')
      }

      await target.end()
      Object.assign(written, target.written, {isFull: false, isCut: sorter.count > limit})
    },
  }

  /** Answers of their own, each valid until the next. */
  function* answers(): Generator<Buffer, void, void> {
    output.at = 0
    for (const {bytes, start, end} of sorter.rows()) {
      output.byte(output.at === 0 ? openBracket : comma)
      output.copy(bytes, start, end)
      if (output.at < answerBytes) continue
      output.byte(closeBracket)
      yield output.written()
      output.at = 0
    }

    if (output.at === 0) return
    output.byte(closeBracket)
    yield output.written()
  }

  function add(page: ScannedPage, index: number): void {
    keys.clear()
    keyEnds = []
    rows = []
    isNewShape = false
    if (keyRows.visit(page, index, visitor, lost) === 0) return
    seeShape(page.records[index * integersPerRecord + 2] as number)
    lost.clear()
    const isPlanned = known.visitPlanned(page, index, noVisitor, lost) >= 0
    if (learns && (!isPlanned || isNewShape || lost.size > 0)) {
      const all = rowsOf(parseRecord(page, index), lines)
      fields.add(rows.map((row) => all[row] as JsonRecord))
    }

    output.at = 0
    const ends = isPlanned ? cut(page, index, rows, output) : print(parseRecord(page, index))
    for (const [place, end] of ends.entries()) {
      const key = {bytes: keys.bytes, start: keyEnds[place - 1] ?? 0, end: keyEnds[place] as number}
      sorter.add(key, {bytes: output.bytes, start: ends[place - 1] ?? 0, end})
    }
  }

  /** Prints rows of a record without a plan, each as a record; where each of them ends is returned. */
  function print(record: JsonRecord): number[] {
    const singles = lines ? [...toSingles(record, lines)] : [record]
    return rows.map((row) => {
      output.text(printJson(singles[row] as JsonRecord))
      return output.at
    })
  }

  /** Notes a shape; an object that was not scanned counts as a new one, because it may have any fields. */
  function seeShape(marked: number): void {
    const shape = marked < 0 ? marked : marked & ~notCompact
    if (shape >= 0 && knownShapes.has(shape)) return
    knownShapes.add(shape)
    isNewShape = true
  }
}

/** Adds the value of a token to the key of a row. An offset of -1 is a value that is absent. */
function putToken(
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

/**
 * Cuts rows out of a record with a plan by their places, each as a record with one element in its list, from the bytes that
 * came; where each of them ends is returned. Time: linear in bytes.
 */
function createRowCutter(lines: LineNames | undefined, shapes: Shapes) {
  /** The place of the token of the list, by shape; -1 for a shape without one. */
  const lists: number[] = []

  return (page: ScannedPage, index: number, rows: readonly number[], output: PageOutput): readonly number[] => {
    const {bytes, records, tokens} = page
    const place = index * integersPerRecord
    const [start = 0, end = 0, shape = 0, first = 0] = records.subarray(place, place + integersPerRecord)
    const offset = listOf(shape & ~notCompact)
    const at = first + offset
    const isOnly = offset < 0 || ((tokens[at + 1] as number) & endMask) < 2
    const [from, to] = [tokens[at + 2] as number, tokens[at + 3] as number]
    const bounds = isOnly ? [] : splitElements(bytes.subarray(from, to)).bounds
    return rows.map((row) => {
      if (isOnly) output.copy(bytes, start, end)
      else {
        output.copy(bytes, start, from + 1)
        output.copy(bytes, from + (bounds[row * 2] as number), from + (bounds[row * 2 + 1] as number))
        output.copy(bytes, to - 1, end)
      }
      return output.at
    })
  }

  function listOf(shape: number): number {
    const isList = ({kind, path}: Field) => kind === 'list' && path.length === 1 && path[0] === lines?.list
    lists[shape] ??= shapes.fieldsOf(shape).find(isList)?.offset ?? -1
    return lists[shape]
  }
}

/** Makes a record of each line, of which `toLines` makes the same row as of the complete record. */
function* toSingles(record: JsonRecord, {list: wanted}: LineNames): Generator<JsonRecord, void, void> {
  const name = findName(record, wanted)
  const list = name === undefined ? undefined : record[name]
  if (name === undefined || !Array.isArray(list) || list.length <= 1) yield record
  else for (const element of list) yield {...record, [name]: [element]}
}
