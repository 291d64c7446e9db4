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

const delimiters = [',', ';', '\t', '|'] as const
const sampledRecords = 20

/** The format of an input file by the end of its name; by its first character when the name does not tell. */
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

/**
 * The delimiter of a CSV file by its first records: the one that stands outside quotes equally often in every record,
 * else the one that stands most often in the header; a comma when there is none.
 */
export function sniffDelimiter(head: string): string {
  const records = countDelimiters(head)
  const header = records[0] ?? []
  const ranked = delimiters
    .map((delimiter, index) => ({delimiter, count: header[index] ?? 0, steady: isSteady(records, index)}))
    .filter(({count}) => count > 0)
    .sort((one, other) => Number(other.steady) - Number(one.steady) || other.count - one.count)

  return ranked[0]?.delimiter ?? ','
}

function isSteady(records: readonly number[][], index: number): boolean {
  return records.every((counts) => counts[index] === records[0]?.[index])
}

/** How often each delimiter stands outside quotes, for each whole record; for the first also when it is cut. */
function countDelimiters(head: string): number[][] {
  const records: number[][] = []
  let counts = delimiters.map(() => 0)
  let quoted = false
  let length = 0
  for (const letter of head) {
    if (letter === '"') quoted = !quoted
    const place = delimiters.indexOf(letter as (typeof delimiters)[number])
    if (quoted || (letter !== '\n' && letter !== '\r')) {
      if (!quoted && place !== -1) counts[place] = (counts[place] ?? 0) + 1
      length++
      continue
    }

    if (length > 0) records.push(counts)
    if (records.length === sampledRecords) return records
    counts = delimiters.map(() => 0)
    length = 0
  }

  if (records.length === 0) records.push(counts)
  return records
}
