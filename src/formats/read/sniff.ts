import {extname} from 'node:path'

import type {InputFormat} from './row.js'

const formatOfExtension: Readonly<Record<string, InputFormat>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
}

/** The format of an input file by the end of its name, or by its first character when the name does not say. */
export function sniffFormat(path: string, head: string): InputFormat {
  const known = formatOfExtension[extname(path).toLowerCase()]
  if (known) return known
  const first = head.trimStart()[0]
  if (first === '[') return 'json'
  return first === '{' ? 'ndjson' : 'csv'
}

/** A spreadsheet may name its delimiter in a first line of its own, such as `sep=;`. */
export function findNamedDelimiter(head: string): string | undefined {
  return /^sep=([^\r\n"])\r?(?:\n|$)/i.exec(head)?.[1]
}
