import {CliFailure} from '../errors.js'
import {isFileFormat, type OutputFormat} from '../formats/names.js'

const formatOfExtension = {
  csv: 'csv',
  tsv: 'tsv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  md: 'markdown',
  xlsx: 'xlsx',
  parquet: 'parquet',
  db: 'sqlite',
  sqlite: 'sqlite',
  sqlite3: 'sqlite',
} as const

/** The format in force: the flag, else by the ending of the file, else by whether somebody looks on. */
export function formatOf({output}: {output?: OutputFormat | undefined}, path: string | undefined): OutputFormat {
  if (output) return output
  const extension = path?.split('.').at(-1)?.toLowerCase() ?? ''
  if (Object.hasOwn(formatOfExtension, extension)) return formatOfExtension[extension as keyof typeof formatOfExtension]
  return isOnTerminal(path) ? 'table' : 'ndjson'
}

export function isOnTerminal(path: string | undefined): boolean {
  return path === undefined && process.stdout.isTTY === true
}

/** Throws a `CliFailure` (usage) for a format that is no text and has no file to go to. */
export function checkHasFile({output}: {output?: OutputFormat | undefined}, path: string | undefined): void {
  if (output === undefined || path !== undefined || !isFileFormat(output)) return
  throw new CliFailure(`${output} is written to a file only, never to standard output`, {
    code: 'NEEDS_FILE',
    exit: 'usage',
    hints: [`Add --output-file NAME.${output === 'sqlite' ? 'db' : output}`],
  })
}
