import {findRun} from '../../activities/what-ran.js'
import type {Environment} from '../../core/environment.js'
import {type OpenedRun, openRun} from '../../runs/journal/load-run.js'
import {runFolderOf} from '../write/own-runs.js'

export type {OpenedRun}

/** Opens and locks the bulk write that a text names. Throws `usage`, `locked` or `storage`. */
export function openNamed(environment: Environment, text: string): OpenedRun {
  const folder = runFolderOf(environment)
  return openRun(folder, findRun(folder, text))
}
