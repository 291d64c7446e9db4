import type {JsonValue} from '../../values/json.js'
import type {Column} from '../columns.js'
import type {ByteTarget} from '../files/atomic-file.js'
import type {DatabaseFile} from '../files/database-file.js'
import type {Lost} from '../flatten.js'
import {
  cellVisitor,
  createPageIntake,
  createPageRows,
  type Intake,
  type IntakeOptions,
  type PageRows,
  type RowOutput,
  type RowVisitor,
  valueOfToken,
} from '../scan/page-renderer.js'
import type {Table} from './sqlite-table.js'

/** The target of rows in a binary format. */
export type FileTo = {
  target: ByteTarget & {readonly database?: DatabaseFile}
  /** Table of a database, or sheet of a workbook. */
  table: Table
  columns: readonly Column[]
  /** Names of `--columns`. */
  chosen: readonly string[] | undefined
}

/** Writes rows of settled columns to a file of a binary format. */
export type RowWriter = {
  visitor(rows: PageRows): RowVisitor
  /** Resolves when there is room for more of what is visited; undefined when there is. */
  room?(): Promise<void> | undefined
  end(): Promise<void>
  /** Notes for people about the file. */
  readonly notes: readonly string[]
}

/** Opens a writer once the columns are settled; the sample has the rows that settled them, which are written later. */
export type OpenRows = (columns: readonly Column[], sample: Sample) => Promise<RowWriter>

/** Calls `see` for each value of the first rows that is not null. */
export type Sample = (see: (place: number, value: JsonValue, row: number) => void) => void

/** Rows that are searched for unknown fields and unusual values before the first is written. */
const defaultLookAhead = 10_000

/**
 * Writes rows in a binary format. Columns are those of the contract in order, then unknown fields by name, as in every
 * format. Time: linear in rows; memory: the pages of the look-ahead.
 */
export function createFileWriter(options: IntakeOptions, open: OpenRows): RowOutput {
  const {lines, chosen, conditions, lookAhead = defaultLookAhead} = options
  const intake = createPageIntake({...options, lookAhead}, {waitsFor: 'columns'})
  const {shapes, written} = intake
  const shown: Lost = new Map()
  let writer: RowWriter | undefined
  let rows: PageRows | undefined
  let visitor: RowVisitor | undefined

  return {
    scan: (body) => intake.scan(body), // without `onRelease`: writers may keep the bytes
    written,
    async put(answer, take) {
      const intaken = intake.page(answer, take)
      const count = await write(intaken)
      written.rows += intaken.rows ?? count
    },
    async end() {
      await write(intake.end())
      await writer?.end()
      written.notes = writer?.notes ?? []
    },
  }

  async function write({settled, ready}: Intake): Promise<number> {
    if (settled) {
      rows = createPageRows({columns: settled, lines, countsLost: chosen === undefined, shapes, conditions})
      writer = await open(settled, sampleOf(rows, ready))
      visitor = writer.visitor(rows)
    }

    const counts = settled ? shown : written.lost // the settled columns contain every field of these rows
    let count = 0
    for (const {page, wanted, most} of ready) {
      for (const [at, index] of wanted.entries()) {
        if (rows && visitor)
          count += rows.visit(page, index, visitor, counts, at === wanted.length - 1 ? most : undefined)
        const room = writer?.room?.()
        if (room) await room
      }
      page.release()
    }

    return count
  }
}

function sampleOf(rows: PageRows, ready: Intake['ready']): Sample {
  return (see) => {
    let row = 0
    const visitor = cellVisitor(
      rows,
      (column, bytes, integers, at) => {
        const value = at < 0 ? null : valueOfToken(bytes, integers, at)
        if (value !== null) see(column, value, row)
      },
      () => row++,
    )
    for (const {page, wanted, most} of ready) {
      for (const [at, index] of wanted.entries())
        rows.visit(page, index, visitor, new Map(), at === wanted.length - 1 ? most : undefined)
    }
  }
}
