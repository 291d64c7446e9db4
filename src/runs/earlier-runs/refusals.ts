import {writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {type Problem, quote} from '../../validate/problem.js'
import {type JsonValue, printJson} from '../../values/json.js'
import {placeIn} from '../../values/place.js'
import {invalidInput} from '../check/invalid-input.js'
import type {FieldChange} from '../rows/diff.js'
import type {Batch} from '../rows/phases.js'
import type {ChangedRow} from './match-rows.js'

const fieldsShown = 3

/** Rows whose record an earlier run wrote with other content: each of them is an entry. */
export function changedRows(plan: Batch, changed: readonly ChangedRow[]): CliFailure {
  const {operation, file, rows, columns} = plan
  const errors = changed.map(({place, applied, changes = []}): Problem => {
    const [first] = changes
    const column = first && columns.get(first.field)
    return {
      ...{...placeIn(plan, rows.at(place)?.line ?? 0), code: 'APPLIED_DIFFERENTLY', severity: 'error'},
      ...(column !== undefined && {column}),
      ...(first && {columnName: first.field}),
      message: `applied with other content by run ${applied.run}${describeChanges(changes)}`,
    }
  })
  const sent = 'this write was not sent' // an earlier one may have been, to settle it
  const failure = invalidInput({operation, file, errors, rows: rows.length, broken: undefined, sent})
  failure.hints.unshift(
    'Take these rows out, or make them as they were applied; to change records that were created, update them.',
    ...(writeOperation(operation).identity.length > 0 ? [] : ['Put rows that are new into a file of their own.']),
    'To ignore earlier runs: --fresh',
  )
  return failure
}

function describeChanges(changes: readonly FieldChange[]): string {
  if (changes.length === 0) return ''
  const shown = changes.slice(0, fieldsShown).map(({field, from, to}, index) => {
    return `${index === 0 ? '' : `${field} `}${valueText(from)} there, ${valueText(to)} here`
  })
  const more = changes.length > fieldsShown ? [`and ${changes.length - fieldsShown} more fields`] : []
  return `: ${[...shown, ...more].join('; ')}`
}

function valueText(value: JsonValue): string {
  return typeof value === 'string' ? quote(value) : printJson(value)
}

export function stillInDoubt(id: string): CliFailure {
  return new CliFailure(
    `Rows of this write are in doubt in run ${id}: they may have been applied. This write was not sent.`,
    {
      code: 'EARLIER_IN_DOUBT',
      exit: 'inDoubt',
      retry: 'reconcile-first',
      hints: [
        `Find out what became of them: ${commandLine('runs reconcile', [id])}`,
        'To ignore earlier runs, which may write rows twice: --fresh',
      ],
    },
  )
}

export function sentMeanwhile(id: string): CliFailure {
  return new CliFailure(`Run ${id} sent rows of this write while it was being prepared; nothing was sent.`, {
    code: 'SENT_MEANWHILE',
    exit: 'locked',
    retry: 'safe',
    hints: [`See what it did: ${commandLine('runs show', [id])}`, 'If rows are left, run the command again.'],
  })
}

/** The failure of a write that sent rows of an earlier run before it failed: those records were changed. */
export function withEarlierChange({message, code, exit, hints, retry, entries, cause}: CliFailure): CliFailure {
  const changed = entries.map((entry) => ({...entry, changed: 'some' as const}))
  return new CliFailure(message, {code, exit, hints, retry, changed: 'some', entries: changed, cause})
}
