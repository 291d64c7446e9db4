import {dirname} from 'node:path'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {RunFolder} from '../../core/run-id.js'
import {type Activity, type ActivityState, findActivity, resumeCommand} from '../../reports/register/activities.js'
import {isOpen} from '../../runs/earlier-runs/read-runs.js'
import {findLeftParts} from '../../runs/journal/load-run.js'
import {withJournal} from '../../runs/journal/open-journal.js'
import {findRunId, listRunIds} from '../../runs/journal/run-folder.js'
import type {RunState} from '../../runs/journal/run-summary.js'
import {systemTimes} from '../write/own-runs.js'

/** What ran: a bulk write, which its journal tells more of, or an export, a sync or a job. */
export type Ran = {kind: 'write'; id: string} | Activity

/** Whether nothing of a run is left to do or to find out here. */
export function isOver({state}: {state: RunState | ActivityState}): boolean {
  return state === 'done' || state === 'exported' || state === 'failed'
}

/** The run of any kind that a text names. Throws `usage`. */
export function findRan(folder: RunFolder, text: string): Ran {
  try {
    return {kind: 'write', id: findRunId(folder, text)}
  } catch (error) {
    const isNone = error instanceof CliFailure && error.code === 'NO_RUN'
    const activity = isNone ? findActivity(dirname(folder.path), text) : undefined
    if (!activity) throw error
    return activity
  }
}

/** The id of the bulk write that a text names. Throws `usage`, also for an export, a sync or a job. */
export function findRun(folder: RunFolder, text: string): string {
  const run = findRan(folder, text)
  if (run.kind !== 'write') throw noWrite(run)
  return run.id
}

/** It has no rows that could be sent, resolved or undone. */
function noWrite({id, kind, state, facts}: Activity): CliFailure {
  const {file, path = file} = facts
  const what = kind === 'export' ? `an export to ${file}` : `a ${kind}`
  const isDone = state === 'done'
  const isListed = isDone && kind === 'export'
  const message = isDone
    ? `Run ${id} is ${what}, which is done${isListed ? '; its manifest lists what is in it' : ''}.`
    : `Run ${id} is ${what}; run the same command again to resume it.`
  const hint = isListed ? commandLine('reports verify', [path]) : resumeCommand(facts)
  return new CliFailure(message, {code: 'RUN_IS_EXPORT', hints: [hint]})
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
