import {commandLine} from '../../core/command-line.js'
import type {CliFailure} from '../../core/errors.js'
import {resumeCommand} from '../../reports/register/export-run-facts.js'
import {type ExportRun, listExportRuns} from '../../reports/register/export-runs.js'
import {nextStepOf, nextStepText} from '../../runs/report/next-step.js'
import type {JsonRecord} from '../../values/json.js'
import {toIso} from '../runs/runs-list.js'

/** All exports, newest first. Where they cannot be read, that is reported, and the writes are still shown. */
export function listExports(
  stateFolder: string,
  {open = false}: {open?: boolean},
  onProblem: (text: string) => void,
): JsonRecord[] {
  try {
    return listExportRuns(stateFolder)
      .filter(({state}) => !open || state !== 'done')
      .map(toRecord)
  } catch (error) {
    const {exit, message, hints} = error as CliFailure
    if (exit !== 'storage' && exit !== 'locked') throw error
    onProblem([`Exports cannot be listed. ${message}`, ...hints].join('. '))
    return []
  }
}

function toRecord(run: ExportRun): JsonRecord {
  const {id, state, facts, createdAt, rows = null, requests = null} = run
  const {command, file, profile, stage} = facts
  return {
    ...{id, state: state === 'lost' ? 'unfinished' : state},
    ...{command, file, profile, stage},
    ...{started: toIso(createdAt), rows, requests},
    next: nextOf(run),
  }
}

function nextOf({id, state, facts}: ExportRun): string {
  switch (state) {
    case 'unfinished':
      return `Resume it: ${resumeCommand(facts)}`
    case 'lost':
      return `The service sent fields that have no column; name them with --columns and start over: ${startOver(facts)}`
    case 'damaged':
      return `Its checkpoint cannot be read; start over: ${startOver(facts)}`
    case 'newer':
      return 'Resume it with the version of vendorctl that wrote it, or a later one.'
    default:
      return nextStepText(nextStepOf(state, id))
  }
}

/** Holes are filled by a command that has no --fresh. */
function startOver({command, startOver: known, again, path}: ExportRun['facts']): string {
  if (known !== undefined) return `vendorctl ${known}`
  if (command === 'reports transactions') return `vendorctl ${command} … ${again} --fresh`
  return commandLine('reports transactions …', [], {'output-file': path, fresh: true})
}
