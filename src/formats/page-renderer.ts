import {CliFailure} from '../errors.js'
import type {JsonRecord} from '../values/json.js'
import type {Column} from './columns.js'
import type {LineNames} from './lines.js'
import type {DialectName} from './names.js'

/** The formats that are made straight from the bytes of an answer. */
export type PageFormat = 'csv' | 'tsv' | 'json' | 'ndjson'

export type PageRendererOptions = {
  /** Columns of the contract for this kind of row, in order. */
  columns: readonly Column[]
  /** Given, a record becomes one row for each element of its list; left out, one row. */
  lines?: LineNames
  /** Names of `--columns`; all columns when it is left out. */
  chosen?: readonly string[]
  /** Of csv and tsv; default `rfc4180`. */
  dialect?: DialectName
  delimiter?: string
  /** The columns that an earlier run of the same output settled: `PageRenderer.columns` of then. Nothing is learnt. */
  settled?: readonly Column[]
  /** Rows that the output holds already. */
  rowsBefore?: number
  /** Dotted names of the fields that `take` wants to see; none costs nothing. */
  look?: readonly string[]
}

/**
 * Asked for every record, in order and before it is rendered; false leaves the record out. `key` is equal for equal ids
 * only (a record without an id: for equal records). `seen` holds the fields of `look`, spelled and nested as they came,
 * and perhaps more. What it throws ends the page, which then leaves nothing behind.
 */
export type Take = (seen: JsonRecord, key: string, index: number) => boolean

export type RenderedPage = {
  /** Valid until the next call of the renderer: write or copy it before. */
  bytes: Buffer
  /** Rows in `bytes`. */
  rows: number
  /** The keys of the records in `bytes`, in order. */
  ids: readonly string[]
  /** Values of this page that no column shows: how many, by name. */
  lost: ReadonlyMap<string, number>
}

/** Turns the bytes of answers into the bytes of an output: the same bytes as the renderer of records makes. */
export type PageRenderer = {
  /** What stands before the first page; nothing while columns are still to be learnt from the first row. */
  start(): Buffer
  /**
   * One answer. Throws `JsonProblem` when it is no whole JSON array, `RecordProblem` when one of its elements is no
   * record. The renderer is then as it was before.
   */
  page(body: Buffer, take?: Take): RenderedPage
  /** What stands after the last page. */
  end(): Buffer
  /** The columns once they are settled; undefined before, and for JSON with all its fields. */
  readonly columns: readonly Column[] | undefined
}

/** An element of an answer that is not JSON or no record; `index` counts from 0. */
export class RecordProblem extends Error {
  override readonly name = 'RecordProblem'
  readonly index: number

  constructor(index: number) {
    super(`element ${index + 1} is no record`)
    this.index = index
  }
}

/** Throws a `CliFailure` at once for a bad delimiter; the first page throws one for a chosen name that does not exist. */
export async function createPageRenderer(_format: PageFormat, _options: PageRendererOptions): Promise<PageRenderer> {
  throw new CliFailure('not built yet', {code: 'NOT_BUILT', exit: 'failure'})
}
