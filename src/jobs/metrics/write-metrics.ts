import {readFile, realpath} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import type {ErrorCode} from '../../contract/failure-codes.js'
import {CliFailure} from '../../core/errors.js'
import {underLock} from '../../core/lock.js'
import {privateName} from '../../core/private-name.js'
import {openAtomicFile} from '../../formats/files/atomic-file.js'
import {errorCodeOf} from '../../formats/files/file-failure.js'
import {type Exposition, printExposition, readExposition} from './exposition.js'
import {addRun, findLastRun, type RunMetrics} from './run-metrics.js'

/** The node exporter is another user and only reads. */
const readableByAll = 0o644
const patienceMilliseconds = 5_000

export type MetricsFile = {
  path: string
  /** Folder of the locks: processes that share it write to one file in turn. */
  folder: string
  /** Writes nothing where a run of these labels has ended since: milliseconds since 1970. */
  unlessEndedSince?: number
}

/**
 * Adds how a run ended to a metrics file, which is replaced in one step. What the reader should know, in sentences.
 * Throws a `CliFailure` when it cannot be written.
 */
export async function writeMetrics(run: RunMetrics, file: MetricsFile): Promise<string[]> {
  const {path, folder, unlessEndedSince: since = Number.POSITIVE_INFINITY} = file
  const known = join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path))
  const lock = join(folder, `${privateName([known])}.lock`)
  return underLock(lock, `the lock of ${path}`, {milliseconds: patienceMilliseconds}, async () => {
    const {earlier, notices} = await readEarlier(path)
    if ((findLastRun(earlier, run) ?? 0) >= since) return notices
    const output = await openAtomicFile(path, {overwrite: true, mode: readableByAll})
    await output.write(await printExposition(addRun(earlier, run)))
    await output.commit()
    return notices
  })
}

async function readEarlier(path: string): Promise<{earlier: Exposition; notices: string[]}> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return ''
    throw unfit(`${path} cannot be read (${errorCodeOf(error)})`, 'FILE_UNREADABLE')
  })
  const earlier = readExposition(text)
  if (earlier === 'foreign') throw unfit(`${path} holds metrics of another program and is left as it is`, 'FILE_EXISTS')
  if (earlier !== 'damaged') return {earlier, notices: []}
  const notices = [`${path} was damaged and is written anew; other jobs are in it again after their next run`]
  return {earlier: {help: {}, samples: []}, notices}
}

function unfit(message: string, code: ErrorCode): CliFailure {
  return new CliFailure(message, {code, exit: 'storage', hints: ['Name another file with --metrics-file.']})
}
