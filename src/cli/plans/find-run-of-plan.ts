import {makeRunId} from '../../core/run-id.js'
import {withJournalIfSound} from '../../runs/journal/read-journal.js'
import type {PartState} from '../../runs/journal/run-facts.js'
import {listRunIds, type RunFolder} from '../../runs/journal/run-folder.js'
import type {EarlierRun} from '../../runs/plan/apply-plan.js'
import type {Environment} from '../app/environment.js'
import {runFolderOf, systemTimes} from '../runs/run-folder.js'

/** The states of a part that was sent and not refused. */
const sentStates: readonly PartState[] = ['sent', 'confirmed', 'inDoubt']

/** The last run that sent something of a plan; `made` is when the plan was made. */
export function findRunOfPlan(environment: Environment, digest: string, made: string): EarlierRun | undefined {
  const folder = runFolderOf(environment)
  const first = makeRunId(Date.parse(made), () => 0)
  const ids = listRunIds(folder).filter((id) => id >= first)
  for (const id of ids.reverse()) {
    const run = readRun(folder, id, digest)
    if (run) return run
  }

  return undefined
}

/** Undefined for a run of another plan, and for one that cannot be read, which does not stop this one. */
function readRun(folder: RunFolder, id: string, digest: string): EarlierRun | undefined {
  return withJournalIfSound(folder, id, systemTimes, (journal) => {
    if (journal.facts().planDigest !== digest) return undefined
    const wasSent = journal.parts().some(({state}) => sentStates.includes(state))
    return wasSent ? {id, isComplete: journal.outcome()?.exit === 'ok'} : undefined
  })
}
