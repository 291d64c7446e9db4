import type {Environment} from '../environment.js'
import {faultNames} from './fault-names.js'
import type {Choice, Sources} from './sources.js'
import {listProfiles, listRuns} from './user-files.js'

/** The values that this machine and the contract know. The contract is loaded only when it is asked for. */
export function createSources(environment: Environment): Sources {
  return async (name, commandId): Promise<readonly Choice[]> => {
    if (name === 'profiles') return listProfiles(environment)
    if (name === 'runs') return listRuns(environment)
    if (name === 'faults') return faultNames.map((value) => ({value}))
    const contract = await import('./contract-values.js')
    const lists = {
      codes: contract.listCodes,
      columns: contract.listColumns,
      documents: contract.listDocuments,
      fields: contract.listFields,
      filters: contract.listFilters,
      methods: contract.listMethods,
      operations: contract.listOperations,
      routes: contract.listRoutes,
      settings: contract.listSettings,
    }
    return lists[name](commandId)
  }
}
