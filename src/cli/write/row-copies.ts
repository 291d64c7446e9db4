import type {RowFile} from '../../formats/read/read-rows.js'
import type {Copy} from '../../runs/check/copy-rows.js'
import type {RowOutcome, RunReport} from '../../runs/report/report.js'
import {isNumber, type JsonValue, numberText} from '../../values/json.js'
import {rejectNames} from './rejects-path.js'

export type CopyKind = 'rejects' | 'results'

/** What a rejects file, or a results file, has of each row. */
export const copyKinds: Readonly<Record<CopyKind, Pick<Copy, 'names' | 'valuesOf'>>> = {
  rejects: {
    names: rejectNames,
    valuesOf: (outcome) => (isReject(outcome) ? [outcome.line, outcome.code, outcome.message] : undefined),
  },
  results: {
    names: ['_fate', '_id', '_code', '_message'],
    valuesOf: ({fate, id, code, message}) => [fate, id, code, message],
  },
}

/**
 * Whether the row is one to send again: it was refused, or rolled back with its set, or not sent. Never one in doubt,
 * none that changes nothing, and none that another run took over.
 */
export function isReject({fate, code}: RowOutcome): boolean {
  return (
    fate === 'refused' || fate === 'rolledBack' || (fate === 'unsent' && code !== 'UNCHANGED' && code !== 'CONTINUED')
  )
}

/** Whether the input file cannot simply be sent again: a row was refused, or some were sent and others not. */
export function needsRejects({rows, outcomes}: Pick<RunReport, 'rows' | 'outcomes'>): boolean {
  const isLeft = (outcome: RowOutcome) => outcome.fate === 'unsent' && isReject(outcome)
  return rows.refused > 0 || (rows.applied + rows.inDoubt > 0 && outcomes.some(isLeft))
}

/** The records of a run that had no input file, as a table of their ids. */
export function toRowFile({file, outcomes}: RunReport): RowFile {
  return {
    name: file,
    format: 'csv',
    header: {line: 0, cells: ['id']},
    rows: (async function* () {
      yield outcomes.map(({line, id}) => ({kind: 'cells' as const, line, size: 0, cells: [toText(id)]}))
    })(),
  }
}

function toText(id: JsonValue | undefined): string {
  if (id === undefined || id === null) return ''
  return isNumber(id) ? numberText(id) : String(id)
}
