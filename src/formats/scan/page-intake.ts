import type {Elements} from '../../values/elements.js'
import type {JsonRecord} from '../../values/json.js'
import {type Column, chooseColumns} from '../columns.js'
import {type Condition, type NameWatch, satisfies} from '../conditions.js'
import type {Lost} from '../flatten.js'
import type {LineNames} from '../lines.js'
import {unknownColumns} from '../unknown-columns.js'
import type {ScannerOptions} from './json-bytes.js'
import {bytesOf, isScanned, join, type ScannedPage, scanPage, toAnswer} from './page-elements.js'
import {createPageRows, noVisitor} from './page-rows.js'
import {ObjectScanner} from './page-scan.js'
import {rowsOf} from './printed-rows.js'
import {createRecordView, parseRecord} from './record-scan.js'

/**
 * Asked for every record, in order and before it is rendered; false leaves the record out. `key` is equal for equal ids
 * only (a record without an id: for equal records). `seen` has the fields of `look`, spelled and nested as they came,
 * and perhaps more. What it throws ends the page, which then leaves nothing behind.
 */
export type Take = (seen: JsonRecord, key: string, index: number) => boolean

export type IntakeOptions = {
  /** Columns of the contract for this kind of row, in order. */
  columns: readonly Column[]
  /** Given, a record becomes one row for each element of its list; left out, one row. */
  lines?: LineNames | undefined
  /** Names of `--columns`; all columns when it is left out. */
  chosen?: readonly string[] | undefined
  /** Dotted names of the fields that `take` wants to see; none costs nothing. */
  look?: readonly string[]
  /** Rows that do not satisfy them are left out. */
  conditions?: readonly Condition[] | undefined
  /** Names that some record must have. */
  names?: NameWatch | undefined
  /** Most rows that are written. */
  limit?: number | undefined
  /** Rows that wait, in complete pages, until the columns are settled; 1 unless given. */
  lookAhead?: number | undefined
  /** Counts of an earlier run of the same output, which are added to. */
  lost?: Lost
}

/** Counts of written rows, kept up to date by the writer. */
export type Written = {
  /** Rows of the pages so far. */
  rows: number
  /** Values that no column could show, by field. */
  readonly lost: Lost
  /** Notes for people about how rows are shown, once all are written. */
  notes: readonly string[]
  /** The limit is reached: no further page can add a row. */
  isFull: boolean
  /** The limit left out at least one row. */
  isCut: boolean
}

/** A page, the records of it that are written, and the most rows of the last of them. */
export type WantedPage = {readonly page: ScannedPage; readonly wanted: readonly number[]; readonly most: number}

export type Intake = {
  /** The keys of the wanted records, in order. */
  ids: readonly string[]
  /** Rows of the page, where columns were learnt from it. */
  rows?: number
  /** Pages that can be written now, in order: those that waited, and this one. */
  ready: readonly WantedPage[]
  /** The columns, given once. */
  settled?: readonly Column[]
}

/** Scans answers, asks which of their records are wanted, and keeps pages until the columns are settled. */
type PageIntake = ReturnType<typeof createPageIntake>

/** Takes answers and writes their rows. A page that fails halfway leaves nothing behind. */
export type RowOutput = {
  /** Cuts answers into records; what comes out need not be scanned again. */
  readonly scan: PageIntake['scan']
  /** Puts the records of an answer, which is released. */
  put(answer: Elements, take: Take | 'all'): Promise<void>
  end(): Promise<void>
  readonly written: Written
}

/**
 * With `waitsFor: 'columns'`, records wait until the columns are learnt from the first rows. Time: each record once;
 * memory: the records that wait.
 */
export function createPageIntake(
  {columns, lines, chosen, look = [], conditions = [], names, limit, lookAhead = 1, lost = new Map()}: IntakeOptions,
  {waitsFor, scanned}: {waitsFor: 'nothing' | 'columns'; scanned?: ScannerOptions},
) {
  const scanner = new ObjectScanner(scanned)
  const viewOf = createRecordView(scanner.shapes, look)
  const known = createPageRows({columns, lines, countsLost: true, shapes: scanner.shapes, conditions, knownOnly: true})
  const none: Lost = new Map()
  let isSettled = waitsFor === 'nothing'
  const waiting = createWaitingRecords()
  let waitingMost = Number.POSITIVE_INFINITY
  let left = limit ?? Number.POSITIVE_INFINITY
  const written: Written = {rows: 0, lost, notes: [], isFull: left <= 0, isCut: false}
  let rows: JsonRecord[] = []
  let count = 0

  return {
    shapes: scanner.shapes,
    scan,
    /** `isFull` and `isCut` are set here; rows and notes are for those who write. */
    written,
    /**
     * Takes an answer, which need not be scanned yet; `all` takes every record without looking at its key. Throws
     * `RecordProblem` at an element that is no record, and what `take` throws; nothing of the page is kept then.
     */
    page(answer: Elements | Buffer, take?: Take | 'all'): Intake {
      const page = isScanned(answer) ? answer : scan(Buffer.isBuffer(answer) ? answer : answer.bytes)
      const {ids, wanted: all} = choose(page, take)
      const cutHere = limit === undefined ? {page, wanted: all, most: Number.POSITIVE_INFINITY} : cut(page, all)
      if (isSettled) return {ids, ready: [cutHere]}
      const {wanted, most} = cutHere
      const looked = lookAt(page, wanted, most)
      const made = rows.length === 0 ? looked.rows : rows.concat(looked.rows)
      if (count + looked.count >= lookAhead) return {ids, rows: looked.count, ...settle(made, cutHere)}
      waiting.add(page, looked.kept)
      waitingMost = Math.min(waitingMost, most)
      page.release()
      rows = made
      count += looked.count
      return {ids, rows: looked.count, ready: []}
    },
    /** The waiting pages, when there are no more. */
    end(): Intake {
      names?.check()
      return isSettled ? {ids: [], ready: []} : {ids: [], ...settle(rows)}
    },
  }

  function scan(body: Buffer, onRelease?: () => void): ScannedPage {
    return scanPage(scanner, body, onRelease)
  }

  function settle(all: JsonRecord[], last?: WantedPage): Pick<Intake, 'ready' | 'settled'> {
    const shown = [...columns, ...unknownColumns(all, columns)]
    const settled = chosen ? chooseColumns(shown, chosen) : shown
    const pages = waiting.toPages().map((body) => scan(body))
    const ready = pages.map((page, place): WantedPage => {
      const wanted = Array.from({length: page.count}, (_, index) => index)
      return {page, wanted, most: place === pages.length - 1 ? waitingMost : Number.POSITIVE_INFINITY}
    })
    isSettled = true
    waiting.clear()
    rows = []
    return {ready: last ? [...ready, last] : ready, settled}
  }

  function choose(page: ScannedPage, take: Take | 'all' | undefined): {wanted: number[]; ids: string[]} {
    const wanted: number[] = []
    const ids: string[] = []
    const isBlind = take === 'all' && !names
    for (let index = 0; index < page.count; index++) {
      if (isBlind) {
        wanted.push(index)
        continue
      }

      const {key, seen} = viewOf(page, index)
      if (typeof take === 'function' && !take(seen, key, index)) continue
      ids.push(key)
      names?.see(seen)
      wanted.push(index)
    }

    return {wanted, ids}
  }

  /** The records of a page that the limit leaves. */
  function cut(page: ScannedPage, all: readonly number[]): WantedPage {
    const wanted: number[] = []
    let room = left
    let most = Number.POSITIVE_INFINITY
    let isBeyond = false
    for (const index of all) {
      const count = lines || conditions.length > 0 ? lookAt(page, [index]).count : 1
      if (count > room) isBeyond = true
      if (room > 0 && count > 0) wanted.push(index)
      if (room > 0 && count > room) most = room
      room = Math.max(0, room - count)
      if (isBeyond) break
    }

    left = room
    written.isFull = left <= 0
    written.isCut ||= isBeyond
    return {page, wanted, most}
  }

  /** The number of rows, the records that have any, and the rows that have unknown fields. */
  function lookAt(
    page: ScannedPage,
    wanted: readonly number[],
    most?: number,
  ): {rows: JsonRecord[]; count: number; kept: number[]} {
    const made: JsonRecord[] = []
    const kept: number[] = []
    let visited = 0
    for (const index of wanted) {
      const before = visited + made.length
      const of = index === wanted.at(-1) ? most : undefined
      const here = known.visitPlanned(page, index, noVisitor, none, of)
      if (here < 0) made.push(...rowsAsked(parseRecord(page, index)).slice(0, of))
      else visited += here
      if (visited + made.length > before) kept.push(index)
    }

    return {rows: made, count: visited + made.length, kept}
  }

  function rowsAsked(record: JsonRecord): JsonRecord[] {
    return rowsOf(record, lines).filter((row) => satisfies(row, conditions))
  }
}

const largestPage = 16 * 1024 * 1024

/** Copies of the wanted records, kept until the columns are settled; their pages are released. */
function createWaitingRecords() {
  let parts: Buffer[] = []
  return {
    add(page: ScannedPage, indexes: readonly number[]): void {
      if (indexes.length > 0) parts.push(join(indexes.map((index) => bytesOf(page, index))))
    },
    /** The records as answers of their own. */
    toPages(): Buffer[] {
      const pages: Buffer[][] = []
      let size = largestPage
      for (const part of parts) {
        if (size + part.length > largestPage) {
          pages.push([])
          size = 0
        }
        pages.at(-1)?.push(part)
        size += part.length
      }

      return pages.map((page) => toAnswer(page))
    },
    clear(): void {
      parts = []
    },
  }
}
