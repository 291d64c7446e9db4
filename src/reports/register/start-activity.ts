import {ifFree, lockRun, runsFolder} from '../../core/run-id.js'
import {dropUnfinished} from '../export/output-lock.js'
import type {Activity, ActivityFacts, ActivityKind} from './activities.js'
import {openExportRegister} from './export-register.js'
import {exportsFolder, registerPath} from './register-tables.js'

type Starting = {
  kind: ActivityKind
  name: string
  facts: ActivityFacts
  now: () => number
  keepMilliseconds: number
  /** An earlier start that did not end is another one after so long. */
  longestMilliseconds?: number
}

/** Records a sync or a job that begins, or is started again. Throws `locked` while another start of it runs. */
export function startActivity(
  stateFolder: string,
  {kind, name, facts, now, keepMilliseconds, longestMilliseconds = Number.POSITIVE_INFINITY}: Starting,
) {
  const register = openExportRegister(registerPath(stateFolder))
  try {
    const createdAt = now()
    register.tidyActivities(kind, createdAt - keepMilliseconds, () => true)
    const begun = {kind, name: `${kind} ${name}`, facts, createdAt}
    const begin = () => register.beginActivity({...begun, isNew: false})
    /** `since`: when it began first, where an earlier start of it did not end; milliseconds since 1970. */
    let started: {id: string; since?: number} = begin()
    const locks = runsFolder(stateFolder)
    let lock = lockRun(locks, started.id)
    // an earlier start that ended while its lock was waited for is over
    for (let open = begin(); open.id !== started.id; open = begin()) {
      lock.remove()
      started = open
      lock = lockRun(locks, started.id)
    }
    if (started.since !== undefined && createdAt - started.since >= longestMilliseconds) {
      lock.remove()
      started = register.beginActivity({...begun, isNew: true})
      lock = lockRun(locks, started.id)
    }
    return {
      ...started,
      /** Records how it ended, if it did. */
      close(ended?: {exit: number; rows?: number; requests?: number}): void {
        try {
          if (ended) register.endActivity({name: begun.name, rows: 0, requests: 0, ...ended}, now())
        } finally {
          register.close()
          lock.remove()
        }
      },
    }
  } catch (error) {
    register.close()
    throw error
  }
}

/**
 * Forgets exports, syncs and jobs that no process works on; of an unfinished export its checkpoint and NAME.part go, too.
 * Returns their ids.
 */
export function removeActivities(stateFolder: string, runs: readonly Activity[]): string[] {
  if (runs.length === 0) return []
  const register = openExportRegister(registerPath(stateFolder))
  try {
    const removed = runs.filter(({id, kind, state, facts: {path}}) =>
      ifFree(runsFolder(stateFolder), id, () => {
        if (kind === 'export' && state !== 'done' && path !== undefined)
          dropUnfinished(exportsFolder(stateFolder), path)
        register.forgetActivity(id)
      }),
    )
    return removed.map(({id}) => id)
  } finally {
    register.close()
  }
}
