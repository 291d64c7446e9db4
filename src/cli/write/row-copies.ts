import {writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import type {RowFile} from '../../formats/read/read-rows.js'
import type {Copy} from '../../runs/check/copy-rows.js'
import {isAboutAccess} from '../../runs/report/exit-of-run.js'
import type {RowOutcome, RunReport} from '../../runs/report/report.js'
import {setRefused} from '../../runs/send/refused-set.js'
import {counted} from '../../values/counted.js'
import {isNumber, type JsonValue, numberText} from '../../values/json.js'
import {thousands} from '../../values/thousands.js'
import {givenInput} from './input-flags.js'
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
function isReject({fate, code}: RowOutcome): boolean {
  return fate === 'refused' || fate === 'rolledBack' || (fate === 'unsent' && code !== 'CONTINUED')
}

/** Whether the input file cannot simply be sent again: a row was refused, or some were sent and others not. */
export function needsRejects({rows, outcomes}: Pick<RunReport, 'rows' | 'outcomes'>): boolean {
  const isLeft = (outcome: RowOutcome) => outcome.fate === 'unsent' && isReject(outcome)
  return rows.refused > 0 || (rows.applied + rows.inDoubt > 0 && outcomes.some(isLeft))
}

type WrittenCopy = {kind: CopyKind; path: string}
type CopyFlags = {
  file?: string | undefined
  replace?: boolean | undefined
  'apply-plan'?: string | undefined
  'on-error'?: string | undefined
  atomic?: boolean | undefined
}

/** What was written, and for rows to send again the command that sends them. */
export function describeCopy({kind, path}: WrittenCopy, report: RunReport, flags: CopyFlags): string {
  const {outcomes, ending} = report
  const count = kind === 'results' ? outcomes.length : outcomes.filter(isReject).length
  const rows = counted(count, 'row')
  if (kind === 'results') return `${path}: ${rows}, each with its fate`
  const refused = outcomes.filter(({fate}) => fate === 'refused')
  const isNoneAtFault = isAboutAccess(ending.refusedStatus) && refused.every(({code}) => code === setRefused)
  const command = sendAgain(path, report, flags)
  if (refused.length === 0) return `${path}: ${rows} to send again${command && `: ${command}`}`
  const end = command === '' ? '.' : `: ${command}`
  return isNoneAtFault
    ? `${path}: ${rows}. No row is at fault: send this file when the service permits it${end}`
    : `${path}: ${rows}. Fix the refused rows in it, then send this file${end}`
}

/** For a set that was rolled back: how its correct rows are sent without the others. */
export function describeCorrect(path: string, report: RunReport, flags: CopyFlags): string[] {
  const {rows, ending} = report
  const {'on-error': onError = 'stop', atomic} = flags
  const command = sendAgain(path, report, flags)
  const isRow = rows.refused > 0 && rows.rolledBack > 0 && !isAboutAccess(ending.refusedStatus)
  if (!isRow || onError !== 'stop' || atomic === true || command === '') return []
  const of = `${thousands(rows.rolledBack)} of ${counted(rows.rolledBack + rows.refused, 'row')}`
  return [
    `${of} ${rows.rolledBack === 1 ? 'is' : 'are'} correct; to send without the others: ${command} --on-error quarantine`,
  ]
}

/** Flags of how the input is laid out, which its copy is not. */
const ofLayout = new Set(['input-format', 'sheet', 'header-row', 'delimiter', 'encoding'])

/** The command that sends a copy of rows as they were read; empty where these flags are not known. */
function sendAgain(path: string, {operation}: RunReport, flags: CopyFlags): string {
  if (flags.file === undefined || flags['apply-plan'] !== undefined) return ''
  const given = Object.entries(givenInput(flags)).filter(([name]) => !ofLayout.has(name))
  const replace = flags.replace === true ? {replace: true as const} : {}
  return commandLine(writeOperation(operation).command, [], {file: path, ...Object.fromEntries(given), ...replace})
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
