import {extname} from 'node:path'
import {type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {openAtomicFile} from '../../formats/files/atomic-file.js'
import {inputFailure} from '../../formats/read/input-failure.js'
import {type ReadOptions, type RowFile, readRows} from '../../formats/read/read-rows.js'
import type {Row} from '../../formats/read/row.js'
import {sniffFormat} from '../../formats/read/sniff.js'
import {toChunks} from '../../formats/write/chunks.js'
import {writeCells} from '../../formats/write/write-csv.js'
import {matchHeader} from '../../validate/match-header.js'
import {printJson} from '../../values/json.js'
import {type Fix, FixTally, fixCells, fixHeader, fixRecord} from './fix-rows.js'
import {createHeaderFit} from './header-fit.js'
import {findRowRules} from './row-rules.js'
import {createSentNames, type SentNames, useOf} from './sent-names.js'

export type FixOptions = ReadOptions & {
  file: string
  /** Where the fixed copy goes; it appears only when it is complete. */
  out: string
  overwrite: boolean
  map?: Readonly<Record<string, string>> | undefined
}

type Fixing = {input: RowFile; operation: WriteId; names: SentNames; options: FixOptions; tally: FixTally}

/**
 * Writes a copy of a file in which everything is fixed that was certainly meant otherwise: UTF-8 without byte order
 * mark, LF, commas (tabs for `.tsv`), and the fixes that are given back. Throws a `CliFailure` and writes nothing when
 * the file cannot be read to its end.
 */
export async function fixFile(operation: WriteId, options: FixOptions): Promise<Fix[]> {
  const fitOf = createHeaderFit(writeOperation(operation), {...options, merges: true, rules: findRowRules(operation)})
  const input = await readRows(options.file, {...options, fitOf})
  checkName(options.out, input)
  const names = createSentNames(writeOperation(operation), true, findRowRules(operation)?.extra)
  const fixing = {input, operation, names, options, tally: new FixTally()}
  const out = await openAtomicFile(options.out, {overwrite: options.overwrite})
  try {
    for await (const text of input.header ? fixTable(fixing) : fixRecords(fixing)) await out.write(text)
    await out.commit()
  } finally {
    await out.discard()
  }

  return fixing.tally.fixes
}

function checkName(out: string, {format, header}: RowFile): void {
  const wanted = sniffFormat(out, '')
  const isTable = wanted === 'csv' || wanted === 'tsv'
  if (out !== '-' && (header ? isTable : extname(out) === '' || wanted === format)) return
  throw new CliFailure(`--fix writes ${header ? 'csv or tsv' : format} here, and ${out} is not such a file`, {
    code: 'INVALID_FIX',
    exit: 'usage',
    hints: [`Name a file that ends in .${format}.`],
  })
}

async function* fixTable({input, operation, names, options, tally}: Fixing): AsyncGenerator<string> {
  const {cells = [], line = 1} = input.header ?? {}
  const use = useOf(writeOperation(operation))
  const {columns} = matchHeader(cells, names, {
    file: input.name,
    line,
    use,
    map: options.map,
    unknownColumns: 'ignore',
  })
  const delimiter = sniffFormat(options.out, '') === 'tsv' ? '\t' : ','
  yield writeCells(fixHeader(cells, columns, tally), delimiter)
  for await (const rows of input.rows) {
    yield* toChunks(rows.map((row) => fixLine(row)))
  }

  function fixLine(row: Row): string {
    if (row.kind !== 'cells') return ''
    const fixed = fixCells(row, columns, tally)
    return fixed ? writeCells(fixed, delimiter, row.quoted) : ''
  }
}

async function* fixRecords({input, names, options, tally}: Fixing): AsyncGenerator<string> {
  const isArray = input.format === 'json'
  let count = 0
  for await (const rows of input.rows) {
    yield* toChunks(rows.map((row) => `${before(isArray, count++)}${printJson(fixRow(row))}`))
  }

  if (isArray) yield count === 0 ? '[]\n' : '\n]\n'
  else if (count > 0) yield '\n'

  function fixRow(row: Row) {
    if (row.kind === 'value') return fixRecord(row.value, names, options.map ?? {}, tally)
    const why = row.kind === 'broken' ? row.why : 'no record'
    throw inputFailure('BROKEN_ROW', `${why}: it cannot be fixed automatically`, {file: input.name, line: row.line})
  }
}

function before(isArray: boolean, count: number): string {
  if (isArray) return count === 0 ? '[\n' : ',\n'
  return count === 0 ? '' : '\n'
}
