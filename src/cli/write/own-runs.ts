import {type RunFolder, runsFolder} from '../../core/run-id.js'
import {systemTimes} from '../../runs/journal/journal.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'

export {systemTimes}

/** The folder of the journals of this user. */
export function runFolderOf(environment: Environment): RunFolder {
  return runsFolder(stateFolder(environment))
}
