import type {Elements} from '../../values/elements.js'
import type {JsonRecord} from '../../values/json.js'
import type {Column} from '../columns.js'
import type {ByteTarget} from '../files/byte-target.js'
import type {DatabaseFile} from '../files/database-file.js'
import type {Lost} from '../flatten.js'
import {
  createPageIntake,
  createPageRows,
  type Intake,
  type IntakeOptions,
  isScanned,
  type PageRows,
  type RowVisitor,
  type ScannedPage,
  type Take,
} from '../scan/page-renderer.js'
import type {Table} from './sqlite-table.js'

/** Where the rows of a file that is no text go. */
export type FileTo = {
  target: ByteTarget & {readonly database?: DatabaseFile}
  /** Of a database, and the sheet of a workbook. */
  table: Table
  columns: readonly Column[]
  /** Names of `--columns`. */
  chosen: readonly string[] | undefined
}

/** Writes rows of settled columns to a file that is no text. */
export type RowWriter = {
  visitor(rows: PageRows): RowVisitor
  /** Resolves when there is room for more of what is visited; undefined when there is. */
  room?(): Promise<void> | undefined
  end(): Promise<void>
  /** What a person should know about the file. */
  readonly notes: readonly string[]
}

/** Opens a writer once the columns are settled; `held` are the rows that settled them, and not written yet. */
export type OpenRows = (columns: readonly Column[], held: readonly JsonRecord[]) => Promise<RowWriter>

/** Takes answers; where bytes go is known to the writer that `open` makes. */
export type FileWriter = {
  scan(body: Buffer): ScannedPage
  /** A page that fails while it is asked for its records leaves nothing behind. Resolves with its rows. */
  page(answer: Elements, take?: Take | 'all'): Promise<number>
  end(): Promise<void>
  /** Values of fields that came after the columns were settled and that no column could show: how many, by name. */
  readonly lost: ReadonlyMap<string, number>
  readonly notes: readonly string[]
  readonly isFull: boolean
  readonly isCut: boolean
}

/** Rows that are looked at for unknown fields and unusual values before the first is written. */
const defaultLookAhead = 10_000

/**
 * A writer whose columns are those of the contract in order, then unknown fields by name, as in every format. Time:
 * linear in rows; memory: the pages of the look-ahead.
 */
export function createFileWriter(options: IntakeOptions, open: OpenRows): FileWriter {
  const {lines, chosen, match} = options
  const intake = createPageIntake({lookAhead: defaultLookAhead, ...options}, {holds: 'rows'})
  const lost: Lost = new Map()
  const shown: Lost = new Map()
  let writer: RowWriter | undefined
  let rows: PageRows | undefined
  let visitor: RowVisitor | undefined

  return {
    scan: (body) => intake.scan(body), // what writers of files hold on to is theirs to know
    async page(answer, take) {
      const page = isScanned(answer) ? answer : intake.scan(answer.bytes)
      const intaken = intake.page(page, take)
      const written = await write(intaken)
      return intaken.rows ?? written
    },
    async end() {
      await write(intake.end())
      await writer?.end()
    },
    lost,
    get notes() {
      return writer?.notes ?? []
    },
    get isFull() {
      return intake.isFull
    },
    get isCut() {
      return intake.isCut
    },
  }

  async function write({settled, ready}: Intake): Promise<number> {
    if (settled) {
      const {columns} = settled
      writer = await open(columns, settled.rows)
      rows = createPageRows({columns, lines, countsLost: chosen === undefined, shapes: intake.shapes, match})
      visitor = writer.visitor(rows)
    }

    const counts = settled ? shown : lost // columns that were learnt from rows show all of them
    let written = 0
    for (const {page, taken, most} of ready) {
      for (const [at, index] of taken.entries()) {
        if (rows && visitor)
          written += rows.visit(page, index, visitor, counts, at === taken.length - 1 ? most : undefined)
        const room = writer?.room?.()
        if (room) await room
      }
      page.release()
    }

    return written
  }
}
