import {CliFailure} from '../../core/errors.js'
import {type Lock, lockOrFail} from '../../core/lock.js'
import {runLockPath} from '../../core/run-id.js'
import type {ActivityFacts, ActivityKind} from './activities.js'
import {openExportRegister} from './export-register.js'
import {registerPath} from './register-tables.js'

type Starting = {
  kind: ActivityKind
  name: string
  facts: ActivityFacts
  now: () => number
  keepMilliseconds: number
  /** An earlier start that did not end is another one after so long. */
  longestMilliseconds?: number
}

/** Takes the lock of a run by its id. Throws `locked` while another process works on it. */
export function lockActivity(stateFolder: string, id: string): Lock {
  const toFailure = (holder: string) =>
    new CliFailure(`Run ${id} is locked by another process${holder}.`, {
      code: 'RUN_LOCKED',
      retry: 'safe',
      hints: ['Wait until it has ended, then try again.'],
    })
  return lockOrFail(runLockPath(stateFolder, id), `The lock of run ${id}`, toFailure)
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
    /** `since`: when it began first, where an earlier start of it did not end; milliseconds since 1970. */
    let started: {id: string; since?: number} = register.beginActivity({...begun, isNew: false})
    let lock = lockActivity(stateFolder, started.id)
    if (started.since !== undefined && createdAt - started.since >= longestMilliseconds) {
      lock.remove()
      started = register.beginActivity({...begun, isNew: true})
      lock = lockActivity(stateFolder, started.id)
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
