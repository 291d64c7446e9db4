import type {TextFormat} from '../names.js'

const formatOfExtension: Readonly<Record<string, TextFormat>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
}

/** The format by the extension of a file name. */
export function formatOfName(path: string): TextFormat | undefined {
  return formatOfExtension[/\.[^./\\]*$/.exec(path.toLowerCase())?.[0] ?? '']
}

/** The format of an input file by the end of its name, or by its first character when the name does not say. */
export function sniffFormat(path: string, head: string): TextFormat {
  const known = formatOfName(path)
  if (known) return known
  const first = head.trimStart()[0]
  if (first === '[' || isEnvelope(head)) return 'json'
  return first === '{' ? 'ndjson' : 'csv'
}

/** Whether a text begins as the output of `--json` does. */
export function isEnvelope(head: string): boolean {
  return /^\s*\{\s*"schema"\s*:\s*"vendorctl\//.test(head)
}

const workbookStarts = ['PK\u0003\u0004', 'PK\u0005\u0006', '\u00d0\u00cf\u0011\u00e0']

/** Whether a file begins as workbooks do: as an archive, or as the files of old Office programs. */
export function looksLikeWorkbook(start: Buffer): boolean {
  return workbookStarts.includes(start.toString('latin1', 0, 4))
}

export function isWorkbookName(path: string): boolean {
  return /\.xls[xmb]?$/i.test(path)
}

/** The delimiter that spreadsheets name in a first line of its own, such as `sep=;`. */
export function findNamedDelimiter(head: string): string | undefined {
  return /^sep=([^\r\n"])\r?(?:\n|$)/i.exec(head)?.[1]
}
