import type {PictureName} from '../names.js'
import type {PageKind, PageRenderer, PageRendererOptions} from '../scan/page-renderer.js'
import type {FileTo, OpenRows} from '../write/file-writer.js'

type Row = {
  /** Endings of file names; the usual one first. */
  readonly extensions: readonly string[]
} & (TextRow | FileRow | PictureRow)

type TextRow = {
  readonly kind: 'text'
  /** Rows are cells of columns, and not records as they came. */
  readonly needsColumns: boolean
  /** Rows go out one by one, so that an export can stop after any of them. */
  readonly streams: boolean
  /** Whether people read it: then rows of totals and notes about widths belong to it. */
  readonly isForPeople?: boolean
  load(): Promise<(options: PageRendererOptions) => PageKind>
}

/** Formats that are not text: they are written to a file and never shown. */
type FileRow = {readonly kind: 'file' | 'database'; load(): Promise<(to: FileTo) => OpenRows>}

/** A page or a picture, which only some commands have. */
type PictureRow = {readonly kind: 'picture'}

/** Output formats, as `-o` names them. What a format is and does is asked here; nothing else knows its name. */
export const formatTable = {
  table: {
    kind: 'text',
    extensions: [],
    needsColumns: true,
    streams: false,
    isForPeople: true,
    load: async () => (await import('../write/table/text-rows.js')).tableKind,
  },
  csv: {
    kind: 'text',
    extensions: ['csv'],
    needsColumns: true,
    streams: true,
    load: async () => (await import('../write/write-csv.js')).csvKind('csv'),
  },
  tsv: {
    kind: 'text',
    extensions: ['tsv'],
    needsColumns: true,
    streams: true,
    load: async () => (await import('../write/write-csv.js')).csvKind('tsv'),
  },
  json: {
    kind: 'text',
    extensions: ['json'],
    needsColumns: false,
    streams: true,
    load: async () => (await import('../write/write-json.js')).jsonKind('json'),
  },
  ndjson: {
    kind: 'text',
    extensions: ['ndjson', 'jsonl'],
    needsColumns: false,
    streams: true,
    load: async () => (await import('../write/write-json.js')).jsonKind('ndjson'),
  },
  markdown: {
    kind: 'text',
    extensions: ['md'],
    needsColumns: true,
    streams: false,
    isForPeople: true,
    load: async () => (await import('../write/table/text-rows.js')).markdownKind,
  },
  xlsx: {
    kind: 'file',
    extensions: ['xlsx'],
    load: async () => (await import('../write/xlsx/write-xlsx.js')).xlsxRows,
  },
  parquet: {
    kind: 'file',
    extensions: ['parquet'],
    load: async () => (await import('../write/parquet/write-parquet.js')).parquetRows,
  },
  sqlite: {
    kind: 'database',
    extensions: ['db', 'sqlite', 'sqlite3'],
    load: async () => (await import('../write/write-sqlite.js')).sqliteRows,
  },
  html: {kind: 'picture', extensions: ['html']},
  svg: {kind: 'picture', extensions: ['svg']},
} as const satisfies Readonly<Record<string, Row>> & Readonly<Record<PictureName, Row & PictureRow>>

type Rows = typeof formatTable
export type OutputFormat = keyof Rows
type OfKind<Kind> = {[Name in OutputFormat]: Rows[Name]['kind'] extends Kind ? Name : never}[OutputFormat]
export type Format = OfKind<'text'>
export type FileFormat = OfKind<'file' | 'database'>
export type PictureFormat = OfKind<'picture'>
/** Formats of records, which every command that prints records has. */
export type RecordFormat = Format | FileFormat
/** Formats of exports. */
export type PageFormat = {[Name in Format]: Rows[Name]['streams'] extends true ? Name : never}[Format]

export const outputFormats = Object.keys(formatTable) as OutputFormat[]
export const recordFormats: readonly OutputFormat[] = outputFormats.filter((name) => !isPictureFormat(name))

export function isPictureFormat(format: OutputFormat): format is PictureFormat {
  return formatTable[format].kind === 'picture'
}

export function isFileFormat(format: OutputFormat): format is FileFormat {
  const {kind} = formatTable[format]
  return kind === 'file' || kind === 'database'
}

export function isDatabase(format: OutputFormat): boolean {
  return formatTable[format].kind === 'database'
}

export function isPageFormat(format: OutputFormat): format is PageFormat {
  return textOf(format)?.streams === true
}

/** Whether records go out as they came, without columns. */
export function isNested(format: OutputFormat): boolean {
  return textOf(format)?.needsColumns === false
}

export function isForPeople(format: OutputFormat): boolean {
  return textOf(format)?.isForPeople === true
}

function textOf(format: OutputFormat): TextRow | undefined {
  const row: Row = formatTable[format]
  return row.kind === 'text' ? row : undefined
}

/** Renders pages in a text format, or as the elements of an envelope. Throws a `CliFailure` for a bad delimiter. */
export async function createPageRenderer(
  format: Format | 'elements',
  options: PageRendererOptions,
): Promise<PageRenderer> {
  const load: TextRow['load'] =
    format === 'elements'
      ? async () => (await import('../write/write-json.js')).jsonKind('elements')
      : formatTable[format].load
  const toKind = await load()
  const {createRenderer} = await import('../scan/page-renderer.js')
  return createRenderer(toKind(options), options)
}
