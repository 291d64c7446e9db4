import {tmpdir} from 'node:os'
import {basename, dirname} from 'node:path'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {
  type Emergency,
  type EmergencyFolders,
  findEmergency,
  keepEmergency,
  removeEmergency,
} from '../journal/emergency.js'
import type {Journal} from '../journal/journal.js'

/** Keeps outside of the journal what became of a part, and says where, or says all of it. */
export function keepElsewhere(journal: Journal, lost: Omit<Emergency, 'run'>, cause: CliFailure): CliFailure {
  const run = basename(journal.path, '.run')
  const path = keepEmergency(foldersOf(journal), {run, ...lost})
  const kept = path === undefined ? `Keep this line, for nothing else does: ${lost.answer}` : `It is kept in ${path}`
  return new CliFailure(`${cause.message}. ${toldBy[lost.state]}, which the journal could not take. ${kept}`, {
    code: 'JOURNAL_LOST',
    exit: 'storage',
    changed: lost.state === 'confirmed' ? 'some' : lost.state === 'inDoubt' ? 'unknown' : 'none',
    retry: 'reconcile-first',
    hints: [...cause.hints, `Then see where the run stands: ${commandLine('runs show', [run])}`],
    cause,
  })
}

const toldBy: Record<Emergency['state'], string> = {
  confirmed: 'This set was applied',
  rejected: 'This set was refused',
  inDoubt: 'This set is in doubt',
  sent: 'This set is in doubt',
  planned: 'This set was not sent',
  closed: 'This set is closed',
}

/**
 * Writes into the journal what an emergency file holds, and removes the file. Whether there was one. Call it with the
 * lock of the run. Throws `storage` when the journal still cannot be written; the file stays then.
 */
export function storeKeptElsewhere(journal: Journal): boolean {
  const run = basename(journal.path, '.run')
  const found = findEmergency(foldersOf(journal), run)
  if (!found) return false
  const {part, state, answer, how, why} = found.emergency
  const isOpen = journal.parts().some(({seq, state: now}) => seq === part && (now === 'sent' || now === 'planned'))
  if (isOpen) {
    const change = {state, answer, why: `${why} (kept elsewhere, for the journal could not be written)`}
    journal.keep(() => journal.change(part, {...change, ...(how && {how})}))
  }

  removeEmergency(foldersOf(journal), run)
  return true
}

function foldersOf({path}: Journal): EmergencyFolders {
  return {runs: dirname(path), temporary: tmpdir()}
}
