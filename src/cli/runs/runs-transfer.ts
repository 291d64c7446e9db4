import {randomUUID} from 'node:crypto'
import {closeSync, constants, createReadStream, createWriteStream, openSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {pipeline} from 'node:stream/promises'
import {CliFailure} from '../../core/errors.js'
import {stateFailure} from '../../core/state-failure.js'
import {openWholeFile} from '../../formats/files/whole-file.js'
import {whyUnreadable} from '../../formats/read/open-input.js'
import {checkImported} from '../../runs/journal/check-imported.js'
import {openJournal} from '../../runs/journal/journal.js'
import type {RunFacts} from '../../runs/journal/run-facts.js'
import {checkRunFolder, lockRun, makeRunFolder, type RunFolder} from '../../runs/journal/run-folder.js'
import {readSummary} from '../../runs/journal/run-summary.js'
import {markExported, takeIn} from '../../runs/journal/run-transfer.js'
import {findRun} from './find-run.js'
import {systemTimes} from './run-record.js'

/** A run that changed hands, and whether anything of it is left to be sent or to be known. */
export type HandedRun = RunFacts & {isOpen: boolean}

/**
 * Gives a run away: its journal becomes one file, and nobody sends for it here any more. The mark is durable before the
 * file has its name, so that at no moment two machines may go on. Throws `locked` while a process works on the run.
 */
export async function giveAway(folder: RunFolder, text: string, path: string, overwrite: boolean): Promise<HandedRun> {
  const id = findRun(folder, text)
  const lock = lockRun(folder, id)
  const copy = copyPath(folder)
  try {
    const journal = openJournal(folder, id, systemTimes)
    try {
      const file = await openWholeFile(path, {overwrite, isPrivate: true})
      const takeBack = markExported(journal, systemTimes)
      try {
        closeSync(openSync(copy, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))
        journal.copyInto(copy)
        for await (const chunk of createReadStream(copy)) await file.write(chunk as Uint8Array)
        await file.commit()
      } catch (error) {
        takeBack()
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

/** Takes a run in that another machine gave away. The file stays as it is. */
export async function takeOver(folder: RunFolder, path: string): Promise<HandedRun> {
  checkRunFolder(folder)
  makeRunFolder(folder)
  const copy = copyPath(folder)
  try {
    await copyIn(path, copy)
    const facts = takeIn(folder, copy, systemTimes, {path, check: checkImported})
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
    if (failed === copy || code === 'ENOSPC') throw stateFailure(error, 'The journal to take in', copy)
    throw new CliFailure(`${path}: ${whyUnreadable(code)}`, {code: 'FILE_UNREADABLE', exit: 'usage'})
  }
}

function copyPath({path}: RunFolder): string {
  return join(path, `${randomUUID()}.copy`)
}
