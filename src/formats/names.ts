/** Output formats, as `-o` names them. */
export const formats = ['table', 'csv', 'tsv', 'json', 'ndjson', 'markdown'] as const
export type Format = (typeof formats)[number]

/** Formats of exports, which go out row by row. */
export type PageFormat = 'csv' | 'tsv' | 'json' | 'ndjson'

/** Formats that hold no text: they are written to a file and never shown. */
export const fileFormats = ['xlsx', 'parquet', 'sqlite'] as const
export type FileFormat = (typeof fileFormats)[number]

/** Pictures of what `reports summary` counted; no other command draws. */
export const pictureFormats = ['html', 'svg'] as const
export type PictureFormat = (typeof pictureFormats)[number]

export type OutputFormat = Format | FileFormat | PictureFormat
/** Formats of records, which every command that prints records has. */
export type RecordFormat = Exclude<OutputFormat, PictureFormat>
export const recordFormats: readonly OutputFormat[] = [...formats, ...fileFormats]

export function isPictureFormat(format: OutputFormat): format is PictureFormat {
  return (pictureFormats as readonly string[]).includes(format)
}

export function isFileFormat(format: OutputFormat): format is FileFormat {
  return (fileFormats as readonly string[]).includes(format)
}

/** Whether the name of a file is that of a workbook. */
export function isWorkbook(path: string): boolean {
  return /\.xlsx$/i.test(path)
}

/** Dialects of csv and tsv, as `--csv-dialect` names them. */
export const dialectNames = ['rfc4180', 'excel'] as const
export type DialectName = (typeof dialectNames)[number]

/** Formats of files of rows, as `--input-format` names them. */
export const inputFormats = ['csv', 'tsv', 'json', 'ndjson', 'xlsx'] as const
export type InputFormat = (typeof inputFormats)[number]
export type TextFormat = Exclude<InputFormat, 'xlsx'>

/** Formats of what a dry run would change. */
export const diffFormats = ['table', 'json', 'markdown'] as const
export type DiffFormat = (typeof diffFormats)[number]
