import {dirname} from 'node:path'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {resumeCommand} from '../../reports/register/export-run-facts.js'
import {findExportRun} from '../../reports/register/export-runs.js'
import {isOpen} from '../../runs/earlier-runs/read-runs.js'
import {withJournal} from '../../runs/journal/read-journal.js'
import {findRunId, listRunIds, type RunFolder} from '../../runs/journal/run-folder.js'
import {findLeftParts} from '../../runs/resume/left-sets.js'
import {systemTimes} from './run-folder.js'

/** The id of the bulk write that a text names. Throws `usage`, also for an export. */
export function findRun(folder: RunFolder, text: string): string {
  try {
    return findRunId(folder, text)
  } catch (error) {
    if (error instanceof CliFailure && error.code === 'NO_RUN') refuseExport(folder, text)
    throw error
  }
}

/** An export has no rows that could be sent, resolved or undone. */
function refuseExport(folder: RunFolder, text: string): void {
  const run = findExportRun(dirname(folder.path), text)
  if (!run) return
  const {file, path} = run.facts
  const message =
    run.state === 'done'
      ? `Run ${run.id} is an export to ${file}, which is done; its manifest lists what is in it.`
      : `Run ${run.id} is an export to ${file}; run the same command again to resume it.`
  const hint = run.state === 'done' ? commandLine('reports verify', [path]) : resumeCommand(run.facts)
  throw new CliFailure(message, {code: 'RUN_IS_EXPORT', exit: 'usage', hints: [hint]})
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
