import {realpath} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {type AtomicFile, openAtomicFile} from '../../formats/files/atomic-file.js'
import {isWorkbook} from '../../formats/names.js'
import {type Copy, copyRows} from '../../runs/check/copy-rows.js'
import {type InputSource, openSource} from '../../runs/check/input-source.js'
import {toSheetSource} from '../../runs/check/sheet-cells.js'
import type {RunReport} from '../../runs/report/report.js'
import {findFreePath} from './rejects-path.js'
import type {Seals} from './rejects-seal.js'
import {type CopyKind, copyKinds, describeCopy, describeCorrect, needsRejects, toRowFile} from './row-copies.js'

export type RunFileFlags = {
  file?: string | undefined
  encoding?: string | undefined
  rejects?: string | undefined
  results?: string | undefined
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
function toFailure(error: unknown): CliFailure {
  if (error instanceof CliFailure) return error
  return new CliFailure(`A file of this run could not be written: ${(error as Error).message}`, {
    code: 'UNEXPECTED',
    exit: 'storage',
    cause: error,
  })
}

const inputAndOutputs = ['file', 'apply-plan', 'plan-out', 'rejects', 'results'] as const

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
    exit: 'usage',
    hints: [`Choose another path for ${second}.`],
  })
}
