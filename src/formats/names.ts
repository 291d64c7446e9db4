/** Output formats, as `-o` names them. */
export const formats = ['table', 'csv', 'tsv', 'json', 'ndjson', 'markdown'] as const
export type Format = (typeof formats)[number]

/** Dialects of csv and tsv, as `--csv-dialect` names them. */
export const dialectNames = ['rfc4180', 'excel'] as const
export type DialectName = (typeof dialectNames)[number]
