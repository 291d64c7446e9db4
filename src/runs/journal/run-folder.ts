import {existsSync, lstatSync, readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {type Lock, tryLock} from '../../core/lock.js'
import {describeHolder} from '../../core/lock-holder.js'
import {makePrivateFolder} from '../../core/private-file.js'
import {checkRunFolder, type RunFolder} from '../../core/run-id.js'
import {neighbours} from '../../core/sqlite.js'
import {stateFailure} from '../../core/state-failure.js'
import {counterPath, readSentCounter, writeSentCounter} from './sent-counter.js'

/** A journal, or the sent counter beside it, which reveals a journal that is gone. */
const fileOfRun = /^(.+)\.run(-sent)?$/

export function runPath({path}: RunFolder, id: string): string {
  return join(path, `${id}.run`)
}

/** Ids of all runs, oldest first. Throws `storage` when the folder cannot be read. */
export function listRunIds({path}: RunFolder): string[] {
  if (!existsSync(path)) return []
  try {
    return [...new Set(readdirSync(path).flatMap((name) => fileOfRun.exec(name)?.[1] ?? []))].sort()
  } catch (error) {
    throw stateFailure(error, 'The folder of the runs', path)
  }
}

/** Finds a run by its id, by the first or last characters of exactly one, or by `latest`. Throws `usage`. */
export function findRunId(folder: RunFolder, text: string): string {
  const ids = listRunIds(folder)
  if (ids.includes(text)) return text
  const last = ids.at(-1)
  if (text === 'latest' && last !== undefined) return last
  const found = text === '' ? [] : ids.filter((id) => id.startsWith(text) || id.endsWith(text))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  throw new CliFailure(found.length > 1 ? `"${text}" matches ${found.length} runs.` : `No run matches "${text}".`, {
    code: found.length > 1 ? 'RUN_AMBIGUOUS' : 'NO_RUN',
    exit: 'usage',
    hints: [...found.slice(-5).reverse(), 'The newest run is called latest. List all runs: vendorctl runs list'],
  })
}

const beginningTries = 500
const beginningPause = 20

/**
 * The lock under which a run looks for other runs and begins: of two that begin with the same rows, one sees the other.
 * Throws `locked` when others keep it for long, and `storage`.
 */
export function lockBeginning(folder: RunFolder): Lock {
  checkRunFolder(folder)
  const path = join(folder.path, 'beginning')
  for (let tries = 0; tries < beginningTries; tries++) {
    const lock = tryLock(path, 'The lock under which runs begin', {isProbe: true})
    if (lock) return lock
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, beginningPause) // blocks: nothing else is running
  }

  throw new CliFailure(`Another process is taking long to begin a run${describeHolder(path)}; nothing was sent.`, {
    code: 'RUN_LOCKED',
    retry: 'safe',
    hints: ['Run the command again.'],
  })
}

/**
 * Deletes the files of a run but its lock. The sent counter is set to 0 first: what a kill leaves then is a run that never
 * began, not a damaged one.
 */
export function removeRun(folder: RunFolder, id: string): void {
  const path = runPath(folder, id)
  const counter = readSentCounter(path)
  if (counter) writeSentCounter(path, counter.target, 0)
  for (const file of filesOf(path)) rmSync(file, {force: true})
}

/** Renames the files of a run to names that no run has. Returns the new path of its journal. */
export function setAside(folder: RunFolder, id: string): string {
  const path = runPath(folder, id)
  for (const file of filesOf(path)) if (lstatSync(file, {throwIfNoEntry: false})) renameSync(file, `${file}.damaged`)
  return `${path}.damaged`
}

/** The counter last: it reveals a journal that is gone. */
function filesOf(path: string): string[] {
  return [path, ...neighbours.map((end) => `${path}${end}`), counterPath(path)]
}

/** An approval is used by the run that is about to begin, whatever comes of it. Throws `unsafe` for one that was used. */
export function useApproval({path}: RunFolder, id: string): void {
  const folder = join(path, '..', 'approvals')
  try {
    makePrivateFolder(folder)
    writeFileSync(join(folder, id), '', {mode: 0o600, flag: 'wx', flush: true})
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw stateFailure(error, 'The note that an approval is used', join(folder, id))
    throw new CliFailure('Not approved: the approval was used already; nothing was sent.', {code: 'NOT_APPROVED'})
  }
}
