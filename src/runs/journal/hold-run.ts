import {toTimeText} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {lockRun, type RunFolder} from '../../core/run-id.js'
import type {Journal} from './journal.js'
import {findLeftParts, type LoadedRun} from './load-run.js'
import {openJournal} from './open-journal.js'

export type OpenedRun = {
  folder: RunFolder
  id: string
  journal: Journal
  loaded: LoadedRun
  /** Unlocks the run. */
  close(): void
}

/** Opens and locks a run without its rows, which may be many. Throws `locked` or `storage`. */
export function holdRun(folder: RunFolder, id: string): Omit<OpenedRun, 'loaded'> {
  const lock = lockRun(folder, id)
  try {
    const journal = openJournal(folder, id)
    refuseExported(journal)
    const close = () => {
      journal.close()
      lock.release()
    }
    return {folder, id, journal, close}
  } catch (error) {
    lock.release()
    throw error
  }
}

/** An exported run may have been resumed elsewhere: nothing is sent for it here. */
function refuseExported(journal: Journal): void {
  const {id, exported} = journal.facts()
  if (exported === undefined) return
  const isOpen = findLeftParts(journal.parts()).length > 0
  journal.close()
  const now = isOpen ? 'may be resumed elsewhere' : 'can be changed only where its file was imported'
  const finished = isOpen ? '' : ' is finished,'
  throw new CliFailure(`Run ${id}${finished} was exported on ${toTimeText(exported)} and ${now}; nothing was sent.`, {
    code: 'RUN_EXPORTED',
    hints: ['Change it on the machine that imported it, with the version that exported it.'],
  })
}
