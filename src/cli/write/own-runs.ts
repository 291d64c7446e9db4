import {type RunFolder, runsFolder} from '../../core/run-id.js'
import {runPath} from '../../runs/journal/run-folder.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import {keepMemoryFlatFor} from '../read/flat-memory.js'

/** The folder of the journals of this user. */
export function runFolderOf(environment: Environment): RunFolder {
  return runsFolder(stateFolder(environment))
}

/** A run that is long is read in little memory. */
export function keepRunFlat(folder: RunFolder, id: string): void {
  keepMemoryFlatFor(runPath(folder, id))
}
