import {writeOperation} from '../../contract/index.js'
import type {CliFailure} from '../../errors.js'
import {type Problem, quote} from '../../validate/problem.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {diffRecords, type FieldChange} from '../diff.js'
import {invalidInput} from '../invalid-input.js'
import {loadRun} from '../load-run.js'
import type {Plan} from '../plan-file.js'
import type {EarlierRuns} from './earlier-runs.js'
import type {RecognisedRows} from './recognise-rows.js'
import {withJournal} from './run-summaries.js'

const fieldsShown = 3

/** The failure for rows whose record an earlier run wrote with other content: each of them is an entry. */
export function conflictsOf(
  plan: Plan,
  conflicts: RecognisedRows['conflicts'],
  earlier: Pick<EarlierRuns, 'folder' | 'times'>,
): CliFailure {
  const {operation, file, rows} = plan
  const recordOf = createRecords(earlier)
  const errors = conflicts.map(({place, applied}): Problem => {
    const row = rows[place]
    const before = recordOf(applied.run, applied.place)
    const changes =
      before && row ? diffRecords(before, row.given ?? row.record, writeOperation(operation).resource, true) : []
    return {file, line: row?.line ?? 0, ...findColumn(plan, changes), ...describe(applied.run, changes)}
  })
  const failure = invalidInput({operation, file, errors, rows: rows.length, broken: undefined})
  failure.hints.unshift(
    'Take these rows out, or make them as they were applied; to change records that were created, update them.',
    'To take no notice of earlier runs: --fresh',
  )
  return failure
}

/** Records that runs applied, by their places; each journal is read once. */
function createRecords({folder, times}: Pick<EarlierRuns, 'folder' | 'times'>) {
  const known = new Map<string, JsonRecord[]>()
  return (run: string, place: number): JsonRecord | undefined => {
    const read = known.get(run) ?? withJournal(folder, run, times, (journal) => toRecords(loadRun(journal).plan)) ?? []
    known.set(run, read)
    return read[place]
  }
}

function toRecords({rows}: Plan): JsonRecord[] {
  return rows.map(({given, record}) => given ?? record)
}

function findColumn({columns}: Plan, [first]: readonly FieldChange[]): Partial<Problem> {
  const column = first && columns.get(first.field)
  return {...(column !== undefined && {column}), ...(first && {columnName: first.field})}
}

function describe(run: string, changes: readonly FieldChange[]): Pick<Problem, 'code' | 'message' | 'severity'> {
  const said = changes.slice(0, fieldsShown).map(({field, from, to}, index) => {
    return `${index === 0 ? '' : `${field} `}${shown(from)} there, ${shown(to)} here`
  })
  const more = changes.length > fieldsShown ? [`and ${changes.length - fieldsShown} more fields`] : []
  const what = said.length === 0 ? '' : `: ${[...said, ...more].join('; ')}`
  return {
    code: 'APPLIED_DIFFERENTLY',
    message: `applied with other content by run ${run}${what}`,
    severity: 'error',
  }
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? quote(value) : printJson(value)
}
