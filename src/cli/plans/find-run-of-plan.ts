import {CliFailure} from '../../core/errors.js'
import {openJournal} from '../../runs/journal/open-journal.js'
import type {PartState} from '../../runs/journal/run-facts.js'
import {listRunIds, makeRunId, type RunFolder} from '../../runs/journal/run-folder.js'
import type {EarlierRun} from '../../runs/plan/apply-plan.js'
import type {Environment} from '../app/environment.js'
import {runFolderOf, systemTimes} from '../runs/run-folder.js'

/** Whether something of a part left this machine and was not refused. */
const left: readonly PartState[] = ['sent', 'confirmed', 'inDoubt']

/** The last run that sent something of a plan; `made` is when the plan was made. */
export function findRunOfPlan(environment: Environment, digest: string, made: string): EarlierRun | undefined {
  const folder = runFolderOf(environment)
  const first = makeRunId(Date.parse(made), () => 0)
  const ids = listRunIds(folder).filter((id) => id >= first)
  for (const id of ids.reverse()) {
    const run = lookAt(folder, id, digest)
    if (run) return run
  }

  return undefined
}

/** Undefined for a run of something else, and for one that cannot be read: which does not stop the plan. */
function lookAt(folder: RunFolder, id: string, digest: string): EarlierRun | undefined {
  try {
    const journal = openJournal(folder, id, systemTimes)
    try {
      if (journal.facts().planDigest !== digest) return undefined
      const states = journal.parts().map(({state}) => state)
      const isOpen = journal.outcome()?.exit !== 'ok'
      return states.some((state) => left.includes(state)) ? {id, isComplete: !isOpen} : undefined
    } finally {
      journal.close()
    }
  } catch (error) {
    if (error instanceof CliFailure) return undefined
    throw error
  }
}
