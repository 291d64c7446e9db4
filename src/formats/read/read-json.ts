import {newline} from '../../values/byte-codes.js'
import {JsonProblem, parseJson} from '../../values/json.js'
import {findRepeatedName} from '../../values/repeated-name.js'
import {ArraySplitter} from './array-splitter.js'
import {refuseHuge} from './input-failure.js'
import type {BrokenRow, ValueRow} from './row.js'

type ValueRows = (ValueRow | BrokenRow)[]

/** The records of an NDJSON text, one a line; blank lines are passed over. */
export async function* readNdjson(text: AsyncIterable<Buffer>, file: string): AsyncGenerator<ValueRows> {
  let line = 1
  let kept: Buffer[] = []
  for await (const chunk of text) {
    const rows: ValueRows = []
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const row = toRow([...kept, chunk.subarray(start, end)], line, file)
      if (row) rows.push(row)
      kept = []
      start = end + 1
      line++
    }

    if (rows.length > 0) yield rows
    kept.push(Buffer.from(chunk.subarray(start)))
    refuseHuge(kept, line, file)
  }

  const last = toRow(kept, line, file)
  if (last) yield [last]
}

/**
 * The elements of a JSON array, in the order of the text, each as soon as it is complete. Throws a `CliFailure` (invalid)
 * when the text is not one array.
 */
export async function* readJsonArray(text: AsyncIterable<Buffer>, file: string): AsyncGenerator<ValueRows> {
  const splitter = new ArraySplitter(file)
  for await (const chunk of text) {
    const pieces = splitter.split(chunk)
    if (pieces.length > 0) yield pieces.map(({parts, line}) => toRow(parts, line, file) ?? missingElement(line))
  }

  splitter.end()
}

function missingElement(line: number): BrokenRow {
  return {kind: 'broken', line, size: 0, why: 'no record between two commas'}
}

function toRow(parts: readonly Buffer[], line: number, file: string): ValueRow | BrokenRow | undefined {
  refuseHuge(parts, line, file)
  const text = (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString().trim()
  if (text === '') return undefined
  try {
    const value = parseJson(text)
    const name = findRepeatedName(text)
    if (name === undefined) return {kind: 'value', line, size: text.length, value}
    return {kind: 'broken', line, size: text.length, why: `the name ${name} appears twice in one record`}
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    return {kind: 'broken', line, size: text.length, why: error.message}
  }
}
