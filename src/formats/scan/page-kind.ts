import type {Column} from '../columns.js'
import type {Lost} from '../flatten.js'
import type {DialectName} from '../names.js'
import type {ScannedPage} from './page-elements.js'
import type {IntakeOptions} from './page-intake.js'
import type {PageOutput} from './page-output.js'
import type {Shapes} from './page-shapes.js'
import type {ScannerOptions} from './page-texts.js'

export type PageRendererOptions = IntakeOptions & {
  /** Of csv and tsv; default `rfc4180`. */
  dialect?: DialectName | undefined
  delimiter?: string | undefined
  /** Cells of a line of the terminal, for a table; left out without one, and then nothing is cut. */
  width?: number | undefined
  /** Makes the header of a table bold. */
  color?: boolean | undefined
  /** The columns that an earlier run of the same output settled: `PageRenderer.columns` of then. Nothing is learnt. */
  settled?: readonly Column[] | undefined
  /** Rows that the output holds already. */
  rowsBefore?: number
}

/** Where the rows of a record go, and how. */
export type PutRecord = {
  output: PageOutput
  /** Values that no column shows are added. */
  lost: Lost
  /** Whether no row was written before. */
  isFirst: boolean
  /** Most rows that are written. */
  most: number
}

/** Writes the rows of records to an output. */
export type PageWriter = {
  readonly header: string
  /** Adds the rows of a record; returns how many. */
  record(page: ScannedPage, index: number, to: PutRecord): number
  /** Adds what was held back since it was called last. */
  flush?(output: PageOutput): void
  /** What a person should know about how rows are shown. */
  readonly notes?: readonly string[]
}

/** What one text format needs and does. */
export type PageKind = {
  readonly scanned: ScannerOptions
  /** Whether the columns must be known before anything is written. */
  readonly needsColumns: boolean
  /** Rows that are held, also of known columns, because the first output shows how wide they are. */
  readonly sample?: number
  readonly start: string
  open(columns: readonly Column[] | undefined, shapes: Shapes): PageWriter
  end(rows: number): string
}
