import {realpath} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {type AtomicFile, openAtomicFile} from '../../formats/files/atomic-file.js'
import {isWorkbook} from '../../formats/names.js'
import type {RowFile} from '../../formats/read/read-rows.js'
import {type Copy, copyRows} from '../../runs/check/copy-rows.js'
import {type InputSource, openSource} from '../../runs/check/input-source.js'
import {toSheetSource} from '../../runs/check/sheet-cells.js'
import {setRefused} from '../../runs/report/refused-set.js'
import type {RunReport} from '../../runs/report/report.js'
import {isAboutAccess} from '../../runs/report/report.js'
import type {RowOutcome} from '../../runs/rows/phases.js'
import {counted, thousands} from '../../values/counted.js'
import {isNumber, type JsonValue, numberText} from '../../values/json.js'
import {givenInput} from './input-flags.js'
import {findFreePath, rejectNames, type Seals} from './rejects-seal.js'

export type RunFileFlags = {
  file?: string | undefined
  encoding?: string | undefined
  rejects?: string | undefined
  results?: string | undefined
  'run-page'?: string | undefined
  overwrite?: boolean | undefined
  replace?: boolean | undefined
  'plan-out'?: string | undefined
  'apply-plan'?: string | undefined
  'dry-run'?: boolean | undefined
  'on-error'?: string | undefined
  atomic?: boolean | undefined
}

export type Written = {
  /** What was written, in sentences. */
  notes: string[]
  /** Why a file could not be written; the others are there. */
  failures: CliFailure[]
  /** Path of the rejects file, where one was written. */
  rejects?: string | undefined
}

/** The files with what became of the rows of a run. */
export type RunFiles = {
  source: InputSource
  /** Writes them, each completely or not at all. */
  write(report: RunReport): Promise<Written>
  /** Leaves nothing half-written behind. */
  discard(): Promise<void>
}

type Target = {path: string; file: AtomicFile; kind: CopyKind; failure?: CliFailure}

/** Opens the files that were asked for. Throws a `CliFailure` when one cannot be written; nothing was sent then. */
export async function openRunFiles(flags: RunFileFlags, seals: Seals): Promise<RunFiles> {
  const {file = '-'} = flags
  await refuseSamePaths(inputAndOutputs.map((flag) => [`--${flag}`, flags[flag]]))
  const source = await openSource(file)
  const targets: Target[] = []
  const discard = async () => {
    for (const target of targets) await target.file.discard()
  }

  try {
    for (const kind of ['rejects', 'results'] as const) {
      const path = flags['dry-run'] ? undefined : flags[kind]
      if (path !== undefined) targets.push(await openTarget(kind, path, flags.overwrite ?? false))
    }
  } catch (error) {
    await discard()
    throw error
  }

  return {source, discard, write: (report) => writeAll({report, flags, source, targets, seals}).finally(discard)}
}

async function openTarget(kind: CopyKind, path: string, overwrite: boolean): Promise<Target> {
  return {kind, path, file: await openAtomicFile(path, {overwrite})}
}

type Ended = {report: RunReport; flags: RunFileFlags; source: InputSource; targets: Target[]; seals: Seals}

async function writeAll(ended: Ended): Promise<Written> {
  const {report, flags, source, targets, seals} = ended
  if (report.dryRun) return {notes: [], failures: []}
  const failures: CliFailure[] = []
  const kept = await addDefault(ended).catch((error: unknown) => {
    failures.push(toFailure(error))
    return []
  })
  if (targets.length === 0) return {notes: [], failures}
  try {
    const {encoding} = flags
    const again = report.input && (() => source.readAgain({...report.input, encoding}))
    const read = async () => report.copies?.rows() ?? again?.() ?? toRowFile(report)
    const opened = await read()
    const {resource} = writeOperation(report.operation)
    const sheet = targets.some(({path}) => isWorkbook(path)) ? await toSheetSource(opened, resource, read) : undefined
    const input = sheet?.input ?? opened
    const hasMark = encoding !== undefined || input.hasMark === true
    const copies = targets.map((target) => toCopy(target, hasMark))
    await copyRows(input, report.outcomes, copies, sheet?.source)
    ;(report.copies ?? source).checkSame()
    for (const target of targets) await keep(target, () => target.file.commit())
  } catch (error) {
    return {notes: [], failures: [...failures, toFailure(error)]}
  }

  const written = targets.filter(({failure}) => failure === undefined)
  for (const {kind, path} of written) if (kind === 'rejects') await seals.keep(path)
  const rejects = written.find(({kind}) => kind === 'rejects')?.path
  const correct = rejects === undefined ? [] : describeCorrect(rejects, report, flags)
  return {
    notes: [...kept, ...written.map((target) => describeCopy(target, report, flags)), ...correct],
    rejects,
    failures: [...failures, ...targets.flatMap(({failure}) => failure ?? [])],
  }
}

/** Without `--rejects` a rejects file is written beside the input when there is need of one. */
async function addDefault({report, flags, targets, seals}: Ended): Promise<string[]> {
  if (flags.rejects !== undefined || !report.input || !needsRejects(report)) return []
  const {format} = report.input
  const ending = format === 'json' || format === 'ndjson' ? 'ndjson' : format === 'xlsx' ? 'xlsx' : 'csv'
  const free = await findFreePath(report.copies?.beside ?? flags.file ?? '-', ending, seals)
  targets.push(await openTarget('rejects', free.path, true))
  return free.kept.map((kept) => `${kept} is kept, because it was changed or not written by vendorctl`)
}

/** A byte order mark, by which spreadsheets and `--encoding` recognize UTF-8. */
function toCopy(target: Target, hasMark: boolean): Copy {
  let mark = hasMark ? '\ufeff' : ''
  return {
    ...copyKinds[target.kind],
    isWorkbook: isWorkbook(target.path),
    write(chunk) {
      const marked = typeof chunk === 'string' ? mark + chunk : chunk
      mark = ''
      return target.file.write(marked)
    },
    attempt: (step) => keep(target, step),
  }
}

/** A file that cannot be written does not keep the other from being written. */
async function keep(target: Target, step: () => Promise<void>): Promise<void> {
  if (target.failure) return
  await step().catch((error: unknown) => {
    target.failure = toFailure(error)
  })
}

/** Any error becomes a failure beside the report, so that the results of the rows are still shown. */
export function toFailure(error: unknown): CliFailure {
  if (error instanceof CliFailure) return error
  return new CliFailure(`A file of this run could not be written: ${(error as Error).message}`, {
    code: 'UNEXPECTED',
    exit: 'storage',
    cause: error,
  })
}

const inputAndOutputs = ['file', 'apply-plan', 'plan-out', 'rejects', 'results', 'run-page'] as const

/** An input is never written over, nor one output by another; each path has the name that the command line gives it. */
export async function refuseSamePaths(named: readonly (readonly [string, string | undefined])[]): Promise<void> {
  const taken = new Map<string, string>()
  for (const [name, path] of named) {
    if (path === undefined || path === '-') continue
    const place = await toPlace(path)
    const first = taken.get(place)
    if (first !== undefined) throw samePath(first, name, path)
    taken.set(place, name)
  }
}

async function toPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined) return real
  const folder = await realpath(dirname(path)).catch(() => dirname(path))
  return join(folder, basename(path))
}

function samePath(first: string, second: string, path: string): CliFailure {
  return new CliFailure(`${first} and ${second} are the same file: ${path}`, {
    code: 'SAME_FILE',
    hints: [`Choose another path for ${second}.`],
  })
}

type CopyKind = 'rejects' | 'results'

/** What a rejects file, or a results file, has of each row. */
const copyKinds: Readonly<Record<CopyKind, Pick<Copy, 'names' | 'valuesOf'>>> = {
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
function describeCopy({kind, path}: WrittenCopy, report: RunReport, flags: CopyFlags): string {
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
function describeCorrect(path: string, report: RunReport, flags: CopyFlags): string[] {
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
function toRowFile({file, outcomes}: RunReport): RowFile {
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
