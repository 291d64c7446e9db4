import {fieldsOf, fieldsOfFilters, useOf, writeOperation} from '../../contract/index.js'
import {type Column, columnsOf, toColumn} from '../../formats/columns.js'
import type {InputFormat} from '../../formats/names.js'
import type {RowFile} from '../../formats/read/read-rows.js'
import type {Row} from '../../formats/read/row.js'
import {notTheRows} from '../../runs/check/copy-rows.js'
import type {InputSource} from '../../runs/check/input-source.js'
import {findSameInput} from '../../runs/check/input-source.js'
import type {RunFacts} from '../../runs/journal/journal-entries.js'
import {loadRun} from '../../runs/journal/load-run.js'
import {readJournal} from '../../runs/journal/open-journal.js'
import {type RunFolder, runPath} from '../../runs/journal/run-folder.js'
import {reportOfRun} from '../../runs/report/report-of-run.js'
import type {Batch, RowOutcome} from '../../runs/rows/phases.js'
import {isRecord, type JsonRecord} from '../../values/json.js'
import type {List} from '../../values/list.js'
import {keepMemoryFlatFor} from '../read/flat-memory.js'
import {resultColumns, resultNames} from '../read/own-columns.js'
import type {LocalRecords} from '../read/present-records.js'
import {findRun, systemTimes} from '../write/find-run.js'

export type Results = LocalRecords & {
  /** Where the columns come from, in a sentence. */
  source: string
}

/** Every row of a run with its fate: as in the input file where that is unchanged, else as it was sent. */
export async function openResults(folder: RunFolder, text: string): Promise<Results> {
  const id = findRun(folder, text)
  keepMemoryFlatFor(runPath(folder, id))
  const journal = readJournal(folder, id, systemTimes, {isChecked: true})
  try {
    const loaded = loadRun(journal)
    const {outcomes, rows} = reportOfRun(loaded)
    const common = {resource: 'result', runId: id, meta: {rows}}
    const source = await findSameInput(loaded.facts)
    if (!source) return {...common, ...fromJournal(loaded.plan, outcomes)}
    return {...common, ...(await fromInput(loaded.facts, source, outcomes))}
  } finally {
    journal.close()
  }
}

function fromJournal({operation, rows, file}: Batch, outcomes: List<RowOutcome>) {
  const write = writeOperation(operation)
  const {resource, body} = write
  const fields = columnsOf(fieldsOf(resource, useOf(write)))
  const columns = body === 'none' ? fields.filter(({name}) => fieldsOfFilters(write).includes(name)) : fields
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
  const {format, ...rest} = input ?? {}
  const rows = await source.readAgain({format: format as InputFormat | undefined, ...rest})
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
  let next = 0
  for await (const rows of file.rows) {
    const page: JsonRecord[] = []
    for (const row of rows) {
      const outcome = outcomes.at(next)
      if (outcome?.line !== row.line) continue // an empty row, which was left out
      page.push({...toRecord(row, names), ...toOwn(outcome)})
      next++
    }
    yield page
  }

  if (next < outcomes.length) throw notTheRows(file.name)
  source.checkSame()
}

function toRecord(row: Row, names: readonly [string, number][]): JsonRecord {
  if (row.kind === 'cells') return Object.fromEntries(names.map(([name, place]) => [name, row.cells[place] ?? '']))
  return row.kind === 'value' && isRecord(row.value) ? row.value : {}
}

function toOwn({line, fate, id, code, message}: RowOutcome): JsonRecord {
  return {_line: line, _fate: fate, _id: id ?? null, _code: code ?? null, _message: message ?? null}
}
