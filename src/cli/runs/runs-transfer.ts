import {randomUUID} from 'node:crypto'
import {closeSync, constants, createReadStream, createWriteStream, openSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {pipeline} from 'node:stream/promises'
import {CliFailure} from '../../core/errors.js'
import {stateFailure} from '../../core/state-failure.js'
import {openAtomicFile} from '../../formats/files/atomic-file.js'
import {whyUnreadable} from '../../formats/read/open-input.js'
import {checkImported} from '../../runs/journal/check-imported.js'
import {openJournal} from '../../runs/journal/open-journal.js'
import type {RunFacts} from '../../runs/journal/run-facts.js'
import {checkRunFolder, lockRun, makeRunFolder, type RunFolder, runPath} from '../../runs/journal/run-folder.js'
import {readSummary} from '../../runs/journal/run-summary.js'
import {importJournal, markExported} from '../../runs/journal/run-transfer.js'
import {keepMemoryFlatFor} from '../read/flat-memory.js'
import {findRun} from './find-run.js'
import {systemTimes} from './run-folder.js'

/** A run that was exported or imported, and whether rows of it are unsent or in doubt. */
export type TransferredRun = RunFacts & {isOpen: boolean}

/**
 * Writes the journal of a run into one file; nothing is sent for the run here from then on. It is marked before the file
 * has its name, so that two machines never may resume it. Throws `locked` while a process works on the run.
 */
export async function exportRun(
  folder: RunFolder,
  text: string,
  path: string,
  overwrite: boolean,
): Promise<TransferredRun> {
  const id = findRun(folder, text)
  keepMemoryFlatFor(runPath(folder, id))
  const lock = lockRun(folder, id)
  const copy = copyPath(folder)
  try {
    const journal = openJournal(folder, id, systemTimes)
    try {
      const file = await openAtomicFile(path, {overwrite, isPrivate: true})
      const unmark = markExported(journal, systemTimes)
      try {
        closeSync(openSync(copy, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))
        journal.copyInto(copy)
        for await (const chunk of createReadStream(copy)) await file.write(chunk as Uint8Array)
        await file.commit()
      } catch (error) {
        unmark()
        await file.discard()
        throw error
      }
      return {...journal.facts(), isOpen: isOpen(folder, id)}
    } finally {
      journal.close()
    }
  } finally {
    rmSync(copy, {force: true})
    lock.release()
  }
}

function isOpen(folder: RunFolder, id: string): boolean {
  const summary = readSummary(folder, id)
  return summary?.facts === undefined || summary.parts.inDoubt + summary.parts.planned > 0
}

/** Imports a run that another machine exported. The file stays as it is. */
export async function importRun(folder: RunFolder, path: string): Promise<TransferredRun> {
  checkRunFolder(folder)
  makeRunFolder(folder)
  const copy = copyPath(folder)
  keepMemoryFlatFor(path)
  try {
    await copyIn(path, copy)
    const facts = importJournal(folder, copy, systemTimes, {path, check: checkImported})
    return {...facts, isOpen: isOpen(folder, facts.id)}
  } finally {
    for (const more of ['', '-wal', '-shm', '-sent']) rmSync(`${copy}${more}`, {force: true})
  }
}

async function copyIn(path: string, copy: string): Promise<void> {
  try {
    await pipeline(createReadStream(path), createWriteStream(copy, {flags: 'wx', mode: 0o600, flush: true}))
  } catch (error) {
    const {code = 'UNKNOWN', path: failed} = error as NodeJS.ErrnoException
    if (failed === copy || code === 'ENOSPC') throw stateFailure(error, 'The journal to import', copy)
    throw new CliFailure(`${path}: ${whyUnreadable(code)}`, {code: 'FILE_UNREADABLE', exit: 'usage'})
  }
}

function copyPath({path}: RunFolder): string {
  return join(path, `${randomUUID()}.copy`)
}
