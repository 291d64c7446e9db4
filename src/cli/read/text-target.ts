import type {Environment} from '../../core/environment.js'
import {CliFailure, usage} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import {type Lock, lockWithin} from '../../core/lock.js'
import {describeHolder} from '../../core/lock-holder.js'
import type {DatabaseFile} from '../../formats/files/database-file.js'
import {isPlainOutput} from '../../formats/files/part-file.js'
import {isDatabase, type OutputFormat} from '../../formats/outputs/format-table.js'
import {outputLock, outputLocked} from '../../reports/export/output-lock.js'
import {exportsFolder} from '../../reports/register/register-tables.js'
import type {CommandContext} from '../app/command-context.js'
import {type Sink, standardOutput, toFailure} from '../terminal/output.js'
import {askedFormat, checkHasFile, describeContradiction} from './format-of.js'

/** The target of rendered records: standard output, or a file that appears only when it is complete. */
export type TextTarget = Sink & {
  /** The path of the file, for people; undefined for standard output. */
  readonly path: string | undefined
  /** The target of rows in place of text, for a database. */
  readonly database?: DatabaseFile
  commit(): Promise<void>
  discard(): Promise<void>
}

export type TargetFlags = {
  output?: OutputFormat | undefined
  'output-file'?: string | undefined
  overwrite?: boolean | undefined
  /** Only its owner may read it. */
  isPrivate?: boolean
}

/**
 * Opens the target before anything is asked of the service, so that a bad path costs no request. A file belongs to this
 * run until it is committed or discarded. Throws `locked` while another run writes it.
 */
async function openTarget(flags: TargetFlags, environment: Environment): Promise<TextTarget> {
  const path = flags['output-file'] === '-' ? undefined : flags['output-file']
  const overwrite = flags.overwrite ?? false
  checkHasFile(flags, path)
  if (path === undefined) return toStandardOutput()
  refusePacked(path)
  const isOfRows = isDatabase(askedFormat(flags, path))
  const {lockOutput} = await import('./text-target.js')
  const release = await lockOutput(path, environment, isOfRows ? databasePatience : 0)
  try {
    const target = await (isOfRows ? openDatabaseTarget(path, overwrite) : openFileTarget(path, flags))
    const {commit, discard} = target
    return {...target, commit: () => commit().finally(release), discard: () => discard().finally(release)}
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Opens the target before a request is spent, and discards it when the work fails. Warns where the name of the file
 * promises another format than the one that is asked for.
 */
export async function withTarget(
  flags: TargetFlags,
  {environment, caution}: Pick<CommandContext, 'environment' | 'caution'>,
  work: (target: TextTarget) => Promise<void>,
): Promise<void> {
  const target = await openTarget(flags, environment)
  const contradiction = describeContradiction(flags)
  if (contradiction) caution(contradiction)
  try {
    await work(target)
  } catch (error) {
    await target.discard()
    throw error
  }
}

/** Time to wait for another run that adds to the same database. */
const databasePatience = 2_000

async function openFileTarget(path: string, {overwrite = false, isPrivate = false}: TargetFlags): Promise<TextTarget> {
  const {openAtomicFile} = await import('../../formats/files/atomic-file.js')
  const file = await openAtomicFile(path, {overwrite, isPrivate})
  return {
    path,
    write: (text) => file.write(text).catch(toClosed),
    commit: () => file.commit(),
    discard: () => file.discard(),
  }
}

/** Throws a closed pipe as it is thrown for standard output, where it is no failure. */
function toClosed(error: NodeJS.ErrnoException): never {
  throw error.code === 'EPIPE' ? toFailure(error) : error
}

/** Throws a `CliFailure` (usage) for a name that promises compression, which only exports have. */
function refusePacked(path: string): void {
  if (!/\.gz$/i.test(path)) return
  throw usage(
    `Only exports of the transaction report are compressed, and this would be plain: ${path}.`,
    `Name it ${path.replace(/\.gz$/i, '')}, or let gzip read standard output.`,
    'An export is reports transactions with --start, as csv, tsv, json or ndjson, neither sorted nor limited.',
  )
}

async function openDatabaseTarget(path: string, overwrite: boolean): Promise<TextTarget> {
  const {openDatabaseFile} = await import('../../formats/files/database-file.js')
  const database = await openDatabaseFile(path, {overwrite})
  return {
    path,
    database,
    write: () => Promise.reject(new Error('a database takes rows, not text')),
    commit: () => database.commit(),
    discard: () => database.discard(),
  }
}

function toStandardOutput(): TextTarget {
  const done = async () => undefined
  return {path: undefined, write: (text) => standardOutput.write(text), commit: done, discard: done}
}

/**
 * Takes the lock of an output file, which exports take, too, and returns its release. Throws `locked` while another run
 * has it. Where no lock can be made, a second run is noticed by the file itself.
 */
export async function lockOutput(path: string, environment: Environment, milliseconds: number): Promise<() => void> {
  if (!(await isPlainOutput(path))) return () => undefined
  const file = outputLock(exportsFolder(stateFolder(environment)), path)
  let lock: Lock | undefined
  try {
    lock = await lockWithin(file, 'The lock of this output file', {milliseconds})
  } catch (error) {
    if (!(error instanceof CliFailure) || error.exit !== 'storage') throw error
    return () => undefined
  }

  if (!lock) throw outputLocked(path, describeHolder(file))
  return () => {
    lock?.remove()
    lock = undefined
  }
}
