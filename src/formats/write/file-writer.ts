import type {JsonRecord} from '../../values/json.js'
import type {Column} from '../columns.js'
import type {Lost} from '../flatten.js'
import type {PageRows, RowVisitor} from '../scan/page-renderer.js'
import {settleColumns} from './renderer.js'

/** Writes rows of settled columns to a file that is no text. */
export type RowWriter = {
  /** Values that no column shows are counted in `lost`, if given. */
  rows(records: readonly JsonRecord[], lost?: Lost): Promise<void>
  end(): Promise<void>
  /** What a person should know about the file. */
  readonly notes: readonly string[]
}

/** Takes rows where they stand in a page, too. */
export type VisitedRowWriter = RowWriter & {
  visitor(rows: PageRows): RowVisitor
  /** Resolves when there is room for more of what is visited; undefined when there is. */
  room?(): Promise<void> | undefined
}

/** Opens a writer once the columns are settled; `held` are the records that settled them, and not written yet. */
export type OpenRows = (columns: readonly Column[], held: readonly JsonRecord[]) => Promise<RowWriter>

export type OpenVisitedRows = (columns: readonly Column[], held: readonly JsonRecord[]) => Promise<VisitedRowWriter>

export type FileWriterOptions = {
  /** Columns of the contract, in order. */
  columns: readonly Column[]
  /** Names of `--columns`; all columns when it is left out. */
  chosen?: readonly string[]
  /** Records that are looked at for unknown fields and odd values before the first is written. */
  lookAhead?: number
}

/** Takes pages of records; where bytes go is known to the writer that `open` makes. */
export type FileWriter = {
  /** A page that fails while it is asked for its records leaves nothing behind. Resolves with their number. */
  page(records: Iterable<JsonRecord>): Promise<number>
  end(): Promise<void>
  /** Values of fields that came after the columns were settled and that no column could show: how many, by name. */
  readonly lost: ReadonlyMap<string, number>
  readonly notes: readonly string[]
}

export const defaultLookAhead = 10_000

/**
 * A writer whose columns are those of the contract in order, then unknown fields by name, as in every format. Time:
 * that of the rows it writes; memory: the records of the look-ahead, then one page.
 */
export function createFileWriter(options: FileWriterOptions, open: OpenRows): FileWriter {
  const {chosen, lookAhead = defaultLookAhead} = options
  const lost: Lost = new Map()
  let held: JsonRecord[] = []
  let writer: RowWriter | undefined

  return {
    async page(records) {
      const page = [...records]
      if (writer) await (chosen ? writer.rows(page) : writer.rows(page, lost))
      else held = held.length === 0 ? page : held.concat(page)
      if (!writer && held.length >= lookAhead) await settle()
      return page.length
    },
    async end() {
      const settled = writer ?? (await settle())
      await settled.end()
    },
    lost,
    get notes() {
      return writer?.notes ?? []
    },
  }

  async function settle(): Promise<RowWriter> {
    const opened = await open(settleColumns(options, held), held)
    await opened.rows(held)
    held = []
    writer = opened
    return opened
  }
}
