import type {Column} from '../columns.js'
import type {Lost} from '../flatten.js'
import type {DialectName} from '../names.js'
import {toDialect} from '../write/dialect.js'
import type {ScannedPage} from './page-elements.js'
import type {IntakeOptions} from './page-intake.js'
import type {PageOutput} from './page-output.js'
import type {Shapes} from './page-shapes.js'
import type {ScannerOptions} from './page-texts.js'

/** The formats that are made straight from the bytes of an answer. */
export type PageFormat = 'csv' | 'tsv' | 'json' | 'ndjson'
/** The same, and lists without their brackets: of an envelope, and of records of one row each for another intake. */
export type RenderedFormat = PageFormat | 'elements' | 'rows'

export type PageRendererOptions = IntakeOptions & {
  /** Of csv and tsv; default `rfc4180`. */
  dialect?: DialectName
  delimiter?: string
  /** The columns that an earlier run of the same output settled: `PageRenderer.columns` of then. Nothing is learnt. */
  settled?: readonly Column[]
  /** Rows that the output holds already. */
  rowsBefore?: number
}

/** Writes the rows of records to an output. */
export type PageWriter = {
  readonly header: string
  /** Adds the rows of a record; returns how many. Values that no column shows are added to `lost`. */
  record(page: ScannedPage, index: number, output: PageOutput, lost: Lost, isFirst: boolean): number
}

/** What one format needs and does. */
export type PageKind = {
  readonly scanned: ScannerOptions
  /** Whether the columns must be known before anything is written. */
  readonly needsColumns: boolean
  readonly start: string
  open(columns: readonly Column[] | undefined, shapes: Shapes): PageWriter
  end(rows: number): string
}

/** Loads what a format needs, and only that. Throws a `CliFailure` for a bad delimiter. */
export async function loadPageKind(format: RenderedFormat, options: PageRendererOptions): Promise<PageKind> {
  if (format === 'csv' || format === 'tsv') return loadCsv(format, options)
  return format === 'rows' ? loadSingles(options) : loadJson(format, options)
}

async function loadCsv(format: 'csv' | 'tsv', {dialect: name, delimiter, lines, chosen, match}: PageRendererOptions) {
  const dialect = toDialect(format, name, delimiter)
  const {createPageCsv} = await import('./page-csv.js')
  const {specialsOf} = await import('./page-cells.js')
  const countsLost = chosen === undefined
  return {
    scanned: specialsOf(dialect),
    needsColumns: true,
    start: '',
    open: (columns: readonly Column[] = [], shapes: Shapes) =>
      createPageCsv({columns, dialect, lines, countsLost, shapes, match}),
    end: () => '',
  }
}

async function loadSingles(options: PageRendererOptions): Promise<PageKind> {
  const {createPageSingles} = await import('./page-singles.js')
  return {
    scanned: {},
    needsColumns: false,
    start: '',
    open: (_columns, shapes) => createPageSingles({...options, shapes}),
    end: () => '',
  }
}

const jsonLayouts = {
  json: {start: '[', first: '\n', between: ',\n', behind: ''},
  ndjson: {start: '', first: '', between: '', behind: '\n'},
  elements: {start: '', first: '\n    ', between: ',\n    ', behind: ''},
}

async function loadJson(
  format: keyof typeof jsonLayouts,
  {lines, chosen, match}: PageRendererOptions,
): Promise<PageKind> {
  const {createPageJson} = await import('./page-json.js')
  const {start, ...layout} = jsonLayouts[format]
  return {
    scanned: {},
    needsColumns: chosen !== undefined,
    start,
    open: (columns, shapes) => createPageJson({columns, lines, match, shapes, ...layout}),
    end: (rows) => (format !== 'json' ? '' : rows === 0 ? ']\n' : '\n]\n'),
  }
}
