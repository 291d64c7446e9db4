import {commandLine} from '../../core/command-line.js'
import {type CliFailure, usage} from '../../core/errors.js'
import {refuseSamePaths} from '../../formats/files/file-steps.js'
import {isWorkbook} from '../../formats/names.js'
import {foundDelimiters} from '../../formats/read/read-csv.js'
import type {Reading} from '../../formats/read/row.js'
import {formatOfName} from '../../formats/read/sniff.js'
import type {RunFacts} from '../../runs/journal/journal-entries.js'
import {setRefused} from '../../runs/report/refused-set.js'
import type {Seals} from '../../runs/report/rejects-seal.js'
import {isAboutAccess, type RunReport} from '../../runs/report/report.js'
import {
  type CopyFlags,
  isReject,
  openCopies,
  type RowCopyFiles,
  type WrittenCopies,
} from '../../runs/report/row-copies.js'
import {counted, thousands} from '../../values/counted.js'
import {defined} from '../../values/defined.js'

export type RunFileFlags = CopyFlags & {
  'run-page'?: string | undefined
  'plan-out'?: string | undefined
  'apply-plan'?: string | undefined
  'on-error'?: string | undefined
  atomic?: boolean | undefined
  profile?: string | undefined
  stage?: string | undefined
}

/** The command that sent the rows, and the flags that a copy of them needs, where those are known. */
export type Again = Pick<RunFacts, 'command' | 'given'>

export type Written = {
  /** The files that were written, in sentences. */
  notes: string[]
  /** Why a file could not be written; the others are there. */
  failures: CliFailure[]
  /** Path of the rejects file, where one was written. */
  rejects?: string | undefined
}

/** The files with what became of the rows of a run. */
export type RunFiles = Omit<RowCopyFiles, 'write'> & {write(report: RunReport): Promise<Written>}

/** Opens the files that were asked for. Throws a `CliFailure` when one cannot be written; nothing was sent then. */
export async function openRunFiles(flags: RunFileFlags, seals: Seals, again: Again): Promise<RunFiles> {
  const {write, ...opened} = await openCopies(flags, seals)
  return {...opened, write: async (report) => describe(await write(report), report, {flags, again})}
}

type Given = {flags: RunFileFlags; again: Again}

function describe({copies, kept, failures}: WrittenCopies, report: RunReport, given: Given): Written {
  const rejects = copies.find(({kind}) => kind === 'rejects')?.path
  const notes = [
    ...kept.map((path) => `${path} is kept, because it was changed or not written by vendorctl`),
    ...copies.map((copy) => describeCopy(copy, report, given)),
    ...(rejects === undefined ? [] : describeCorrect(rejects, report, given)),
  ]
  return {notes, rejects, failures}
}

const inputAndOutputs = [
  'file',
  'apply-plan',
  'plan-out',
  'rejects',
  'results',
  'run-page',
  'annotations',
  'log-http',
] as const

/** Throws `usage` for flags of a write that name one file twice, or `-`; to be called before any of them is opened. */
export async function refuseSameFiles(
  flags: {[Flag in (typeof inputAndOutputs)[number]]?: string | undefined},
): Promise<void> {
  for (const flag of ['rejects', 'results', 'annotations'] as const)
    if (flags[flag] === '-') throw usage(`--${flag} names a file, and - is none.`, `Name one: --${flag} PATH`)
  return refuseSamePaths(Object.fromEntries(inputAndOutputs.map((flag) => [`--${flag}`, flags[flag]])))
}

/** The copy that was written, and for rows to send again the command that sends them. */
function describeCopy({kind, path}: WrittenCopies['copies'][number], report: RunReport, {flags, again}: Given): string {
  const {outcomes, ending} = report
  const count = kind === 'results' ? outcomes.length : outcomes.filter(isReject).length
  const rows = counted(count, 'row')
  if (kind === 'results') return `${path}: ${rows}, each with its fate`
  const refused = outcomes.filter(({fate}) => fate === 'refused')
  const isNoneAtFault = isAboutAccess(ending.refusedStatus) && refused.every(({code}) => code === setRefused)
  const command = count === 0 ? '' : sendAgain(path, report, flags, again)
  if (refused.length === 0) return `${path}: ${rows} to send again${command && `: ${command}`}`
  const end = command === '' ? '.' : `: ${command}`
  return isNoneAtFault
    ? `${path}: ${rows}. No row is at fault: send this file when the service permits it${end}`
    : `${path}: ${rows}. Fix the refused rows in it, then send this file${end}`
}

/** The command that sends the correct rows of sets that were rolled back without the refused ones. */
function describeCorrect(path: string, report: RunReport, {flags, again}: Given): string[] {
  const {rows, ending} = report
  const {'on-error': onError = 'stop', atomic} = flags
  const command = sendAgain(path, report, flags, again)
  const isRow = rows.refused > 0 && rows.rolledBack > 0 && !isAboutAccess(ending.refusedStatus)
  if (!isRow || onError !== 'stop' || atomic === true || command === '') return []
  const of = `${thousands(rows.rolledBack)} of ${counted(rows.rolledBack + rows.refused, 'row')}`
  return [
    `${of} ${rows.rolledBack === 1 ? 'is' : 'are'} correct; to send without the others: ${command} --on-error quarantine`,
  ]
}

/** Flags for reading a copy, where neither its name nor its first rows tell its format and delimiter. */
function layoutOf(path: string, {format = 'csv', delimiter = ','}: Partial<Reading>): Record<string, string> {
  if (isWorkbook(path)) return {}
  const copied = format === 'json' || format === 'ndjson' ? 'ndjson' : 'csv'
  return {
    ...((formatOfName(path) ?? copied) !== copied && {'input-format': copied}),
    ...(!foundDelimiters.includes(delimiter) && {delimiter}),
  }
}

/** The command that sends a copy of rows as they were read; empty where its flags are not known. */
function sendAgain(path: string, {input}: RunReport, {profile, stage}: RunFileFlags, {command, given}: Again): string {
  if (!given) return ''
  return commandLine(command, [], {file: path, ...given, ...layoutOf(path, input ?? {}), ...defined({profile, stage})})
}
