import {loadRun} from '../../runs/journal/load-run.js'
import type {Environment} from '../app/environment.js'
import {findRun} from '../runs/find-run.js'
import {holdRun, type OpenedRun} from '../write/open-run.js'
import {runFolderOf} from '../write/own-runs.js'

/** Opens and locks the run that a text names. Throws `usage`, `locked` or `storage`. */
export function openRun(environment: Environment, text: string): OpenedRun {
  const run = holdRun(environment, findRun(runFolderOf(environment), text))
  try {
    return {...run, loaded: loadRun(run.journal)}
  } catch (error) {
    run.close()
    throw error
  }
}
