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

/** Formats of pages and pictures. */
export const pictureFormats = ['html', 'svg'] as const
export type PictureName = (typeof pictureFormats)[number]

/** Formats of what a dry run would change. */
export const diffFormats = ['table', 'json', 'markdown'] as const
export type DiffFormat = (typeof diffFormats)[number]
