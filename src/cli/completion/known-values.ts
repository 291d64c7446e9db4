import type {Environment} from '../app/environment.js'
import type {WrittenChoices} from '../start/program.js'
import {faultNames} from './fault-names.js'
import type {Choice, Sources} from './sources.js'
import {listProfiles, listRuns} from './user-files.js'

/** The values that this machine knows, and those that the build wrote down. */
export function createSources(environment: Environment, written: () => Promise<WrittenChoices>): Sources {
  return async (name, commandId): Promise<readonly Choice[]> => {
    if (name === 'profiles') return listProfiles(environment)
    if (name === 'runs') return listRuns(environment)
    if (name === 'faults') return faultNames.map((value) => ({value}))
    const {choices} = await written()
    return JSON.parse(choices[name] ?? choices[`${name} ${commandId}`] ?? '[]') as Choice[]
  }
}
