import {dirname} from 'node:path'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {findActivity, resumeCommand} from '../../reports/register/activities.js'
import {isOpen} from '../../runs/earlier-runs/read-runs.js'
import {findLeftParts} from '../../runs/journal/load-run.js'
import {withJournal} from '../../runs/journal/open-journal.js'
import {findRunId, listRunIds, type RunFolder} from '../../runs/journal/run-folder.js'
import {systemTimes} from '../write/own-runs.js'

/** The id of the bulk write that a text names. Throws `usage`, also for an export, a sync or a job. */
export function findRun(folder: RunFolder, text: string): string {
  try {
    return findRunId(folder, text)
  } catch (error) {
    if (error instanceof CliFailure && error.code === 'NO_RUN') refuseOther(folder, text)
    throw error
  }
}

/** It has no rows that could be sent, resolved or undone. */
function refuseOther(folder: RunFolder, text: string): void {
  const run = findActivity(dirname(folder.path), text)
  if (!run) return
  const {file, path = file} = run.facts
  const what = run.kind === 'export' ? `an export to ${file}` : `a ${run.kind}`
  const isDone = run.state === 'done'
  const manifest = run.kind === 'export' ? '; its manifest lists what is in it' : ''
  const message = isDone
    ? `Run ${run.id} is ${what}, which is done${manifest}.`
    : `Run ${run.id} is ${what}; run the same command again to resume it.`
  const isListed = isDone && run.kind === 'export'
  const hint = isListed ? commandLine('reports verify', [path]) : resumeCommand(run.facts)
  throw new CliFailure(message, {code: 'RUN_IS_EXPORT', hints: [hint]})
}

/**
 * The newest run with rows to send or in doubt; undefined when there is none. Throws `storage` when only runs that cannot
 * be read may have such rows.
 */
export function findOpenRun(folder: RunFolder): string | undefined {
  let unreadable: CliFailure | undefined
  const found = listRunIds(folder).findLast((id) => {
    try {
      return withJournal(folder, id, systemTimes, (journal) => {
        const facts = journal.facts()
        if (facts.exported !== undefined || !isOpen({facts, outcome: journal.outcome()})) return false
        return findLeftParts(journal.parts()).length > 0
      })
    } catch (error) {
      if (!(error instanceof CliFailure) || error.exit !== 'storage') throw error
      unreadable ??= error
      return false
    }
  })
  if (found === undefined && unreadable) throw unreadable
  return found
}
