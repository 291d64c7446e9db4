import {dirname} from 'node:path'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {findExportRun, resumeCommand} from '../../reports/register/export-runs.js'
import {findRunId, type RunFolder} from '../../runs/journal/run-folder.js'

/** The id of the bulk write that a text names. Throws `usage`, also for an export. */
export function findRun(folder: RunFolder, text: string): string {
  try {
    return findRunId(folder, text)
  } catch (error) {
    if (error instanceof CliFailure && error.code === 'NO_RUN') refuseExport(folder, text)
    throw error
  }
}

/** An export has no rows that could be sent, settled or taken back. */
function refuseExport(folder: RunFolder, text: string): void {
  const run = findExportRun(dirname(folder.path), text)
  if (!run) return
  const {file, path} = run.facts
  const message =
    run.state === 'done'
      ? `Run ${run.id} is an export to ${file}, which is done; its manifest says what is in it.`
      : `Run ${run.id} is an export to ${file}; it goes on when the same command is given again.`
  const hint = run.state === 'done' ? commandLine('reports verify', [path]) : resumeCommand(run.facts)
  throw new CliFailure(message, {code: 'RUN_IS_EXPORT', exit: 'usage', hints: [hint]})
}
