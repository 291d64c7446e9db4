import {fieldsOf, fieldsSentAsFilters, useOf, writeOperation} from '../../contract/index.js'
import {keepMemoryFlatFor} from '../../core/flat-memory.js'
import type {RunFolder} from '../../core/run-id.js'
import {type Column, columnsOf, toColumn} from '../../formats/columns.js'
import type {RowFile} from '../../formats/read/read-rows.js'
import type {Row} from '../../formats/read/row.js'
import {isRecord, type JsonRecord} from '../../values/json.js'
import type {List} from '../../values/list.js'
import {withOutcomes} from '../check/copy-rows.js'
import {findSameInput, type InputSource} from '../check/input-source.js'
import type {RunFacts} from '../journal/journal-entries.js'
import {loadRun} from '../journal/load-run.js'
import {readJournal} from '../journal/open-journal.js'
import {runPath} from '../journal/run-folder.js'
import type {Batch, Fates, RowOutcome} from '../rows/phases.js'
import {reportOfRun} from './report-of-run.js'

const resultNames = ['_line', '_fate', '_id', '_code', '_message'] as const

/** Columns that results of a run add to those of its input. */
export const resultColumns = resultNames.map((name) => toColumn([name], name === '_line' ? 'integer' : 'text'))

/** The rows of a run, in pages or one by one. `source`: where the columns come from, in a sentence. */
export type RunResults = {
  source: string
  columns: readonly Column[]
  records: Iterable<JsonRecord> | AsyncIterable<JsonRecord[]>
  meta: {rows: Fates}
}

/** Every row of a run with its fate: as in the input file where that is unchanged, else as it was sent. */
export async function openResults(folder: RunFolder, id: string): Promise<RunResults> {
  keepMemoryFlatFor(runPath(folder, id))
  const journal = readJournal(folder, id, {isChecked: true})
  try {
    const loaded = loadRun(journal)
    const {outcomes, rows} = reportOfRun(loaded)
    const source = await findSameInput(loaded.facts)
    const results = source ? await fromInput(loaded.facts, source, outcomes) : fromJournal(loaded.plan, outcomes)
    return {...results, meta: {rows}}
  } finally {
    journal.close()
  }
}

function fromJournal({operation, rows, file}: Batch, outcomes: List<RowOutcome>) {
  const write = writeOperation(operation)
  const {resource, body} = write
  const fields = columnsOf(fieldsOf(resource, useOf(write)))
  const columns = body === 'none' ? fields.filter(({name}) => fieldsSentAsFilters(write).includes(name)) : fields
  return {
    source: `${file} is gone or changed: the fields are those of the journal.`,
    columns: [...columns, ...resultColumns],
    records: joinRows(rows, outcomes),
  }
}

function* joinRows(rows: Batch['rows'], outcomes: List<RowOutcome>): Generator<JsonRecord, void, void> {
  let place = 0
  for (const outcome of outcomes) {
    const {given, record} = rows.at(place++) ?? {}
    yield {...(given ?? record), ...toOwn(outcome)}
  }
}

async function fromInput({input, file}: RunFacts, source: InputSource, outcomes: List<RowOutcome>) {
  const rows = await source.readAgain({...input})
  const names = rows.header?.cells
  const columns: Column[] = names ? foreignNames(names).map(([name]) => toColumn([name], 'text')) : []
  return {
    source: `The columns are those of ${file}, which is unchanged.`,
    columns: [...columns, ...resultColumns],
    records: join(rows, outcomes, source),
  }
}

/** Columns of the input with their places, except those named like result columns. */
function foreignNames(names: readonly string[]): [string, number][] {
  const own: readonly string[] = resultNames
  return names.flatMap((name, place): [string, number][] => (own.includes(name.trim()) ? [] : [[name, place]]))
}

async function* join(
  file: RowFile,
  outcomes: List<RowOutcome>,
  source: InputSource,
): AsyncGenerator<JsonRecord[], void, void> {
  const names = foreignNames(file.header?.cells ?? [])
  for await (const known of withOutcomes(file, outcomes))
    yield known.map(([row, outcome]) => ({...toRecord(row, names), ...toOwn(outcome)}))
  source.checkSame()
}

function toRecord(row: Row, names: readonly [string, number][]): JsonRecord {
  if (row.kind === 'cells') return Object.fromEntries(names.map(([name, place]) => [name, row.cells[place] ?? '']))
  return row.kind === 'value' && isRecord(row.value) ? row.value : {}
}

function toOwn({line, fate, id, code, message}: RowOutcome): JsonRecord {
  return {_line: line, _fate: fate, _id: id ?? null, _code: code ?? null, _message: message ?? null}
}
