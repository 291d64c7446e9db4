import {writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {type AtomicFile, openAtomicFile} from '../../formats/files/atomic-file.js'
import {isWorkbook} from '../../formats/names.js'
import type {ReadOptions, RowFile} from '../../formats/read/read-rows.js'
import {idText} from '../../values/record-key.js'
import {type Copy, copyRows} from '../check/copy-rows.js'
import {type InputSource, openSource} from '../check/input-source.js'
import {toSheetSource} from '../check/sheet-cells.js'
import {toRowFileOfPlan} from '../plan/plan-document.js'
import type {RowOutcome} from '../rows/phases.js'
import {findFreePath, rejectNames, type Seals} from './rejects-seal.js'
import type {RowCopies, RunReport} from './report.js'

export type CopyFlags = {
  file?: string | undefined
  encoding?: string | undefined
  rejects?: string | undefined
  results?: string | undefined
  overwrite?: boolean | undefined
  'dry-run'?: boolean | undefined
}

export type CopyKind = 'rejects' | 'results'

/** Copies of the rows that were written. */
export type WrittenCopies = {
  copies: {kind: CopyKind; path: string}[]
  /** Paths that were in the way and are kept. */
  kept: string[]
  /** Why a file could not be written; the others are there. */
  failures: CliFailure[]
}

/** The files with what became of the rows of a run. */
export type RowCopyFiles = Awaited<ReturnType<typeof openCopies>>

/** Copies of the rows of a run: from `source`, its input as it was, or else from its plan. */
export function toRowCopies(
  plan: Parameters<typeof toRowFileOfPlan>[0],
  source: InputSource | undefined,
  reading: ReadOptions,
  beside: string,
): RowCopies {
  if (source) return {rows: () => source.readAgain(reading), checkSame: source.checkSame, beside}
  return {rows: async () => toRowFileOfPlan(plan), checkSame: () => undefined, beside}
}

type Target = {path: string; file: AtomicFile; kind: CopyKind; failure?: CliFailure}

/** Opens the files that were asked for. Throws a `CliFailure` when one cannot be written; nothing was sent then. */
export async function openCopies(flags: CopyFlags, seals: Seals) {
  const {file = '-'} = flags
  const source = await openSource(file)
  const targets: Target[] = []
  /** Leaves nothing half-written behind. */
  const discard = async (): Promise<void> => {
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

  /** Writes them, each completely or not at all. */
  const write = (report: RunReport) => writeAll({report, flags, source, targets, seals}).finally(discard)
  return {source, discard, write}
}

async function openTarget(kind: CopyKind, path: string, overwrite: boolean): Promise<Target> {
  return {kind, path, file: await openAtomicFile(path, {overwrite})}
}

type Ended = {report: RunReport; flags: CopyFlags; source: InputSource; targets: Target[]; seals: Seals}

async function writeAll(ended: Ended): Promise<WrittenCopies> {
  const {report, flags, source, targets, seals} = ended
  if (report.dryRun) return {copies: [], kept: [], failures: []}
  const failures: CliFailure[] = []
  const kept = await addDefault(ended).catch((error: unknown) => {
    failures.push(toFailure(error))
    return []
  })
  if (targets.length === 0) return {copies: [], kept, failures}
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
    return {copies: [], kept: [], failures: [...failures, toFailure(error)]}
  }

  const written = targets.filter(({failure}) => failure === undefined)
  for (const {kind, path} of written) if (kind === 'rejects') await seals.keep(path)
  const lost = targets.flatMap(({failure}) => failure ?? [])
  return {copies: written.map(({kind, path}) => ({kind, path})), kept, failures: [...failures, ...lost]}
}

/** Without `--rejects` a rejects file is written beside the input when there is need of one. */
async function addDefault({report, flags, targets, seals}: Ended): Promise<string[]> {
  if (flags.rejects !== undefined || !report.input || !needsRejects(report)) return []
  const {format} = report.input
  const ending = format === 'json' || format === 'ndjson' ? 'ndjson' : format === 'xlsx' ? 'xlsx' : 'csv'
  const free = await findFreePath(report.copies?.beside ?? flags.file ?? '-', ending, seals)
  targets.push(await openTarget('rejects', free.path, true))
  return free.kept
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

/** Columns of a rejects file, or of a results file. */
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
export function isReject({fate, code}: RowOutcome): boolean {
  return fate === 'refused' || fate === 'rolledBack' || (fate === 'unsent' && code !== 'CONTINUED')
}

/** Whether the input file cannot simply be sent again: a row was refused, or some were sent and others not. */
export function needsRejects({rows, outcomes}: Pick<RunReport, 'rows' | 'outcomes'>): boolean {
  const isLeft = (outcome: RowOutcome) => outcome.fate === 'unsent' && isReject(outcome)
  return rows.refused > 0 || (rows.applied + rows.inDoubt > 0 && outcomes.some(isLeft))
}

/** The records of a run that had no input file, as a table of their ids. */
function toRowFile({file, outcomes}: RunReport): RowFile {
  return {
    name: file,
    format: 'csv',
    header: {line: 0, cells: ['id']},
    rows: (async function* () {
      yield outcomes.map(({line, id}) => ({kind: 'cells' as const, line, size: 0, cells: [idText(id)]}))
    })(),
  }
}
