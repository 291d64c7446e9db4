import {bootMoment, systemClock} from '../../core/clock.js'
import type {Times} from '../../runs/journal/journal.js'
import {type RunFolder, runsFolder} from '../../runs/journal/run-folder.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'

/** The clocks of a journal: one for labels, one for waits. */
export const systemTimes: Times = {now: systemClock.now, moment: bootMoment}

/** The folder of the journals of this user. */
export function runFolderOf(environment: Environment): RunFolder {
  return runsFolder(stateFolder(environment))
}
