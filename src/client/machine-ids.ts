import type {Read} from '../contract/index.js'
import {CliFailure} from '../errors.js'
import {isNumber, type JsonRecord, numberText} from '../values/json.js'
import {createFilterCheck} from './filter-check.js'
import type {FilterValues, Page, ReadRequest} from './types.js'

type ReadMachines = (id: 'machines.list', request: ReadRequest) => AsyncGenerator<Page, void, void>

/** Whether records of the operation carry the id of their machine only, while a serial may have been asked for. */
export function carriesIdOnly(operation: Read, filters: FilterValues): boolean {
  const {machineIdentifiers: use} = operation.filters
  const {machineIdentifiers: identifiers} = filters
  const matches = use?.matches ?? []
  return matches.length === 1 && matches[0] === 'machineId' && Array.isArray(identifiers) && identifiers.length > 0
}

/** Whether any record names a machine that was not asked for by its id. */
export function isSuspicious(operation: Read, filters: FilterValues, records: Iterable<JsonRecord>): boolean {
  const {machineIdentifiers = []} = filters
  const check = createFilterCheck(operation, {machineIdentifiers})
  for (const record of records) {
    if (check(record)) return true
  }

  return false
}

/** The ids of the machines that the identifiers name, asked of the service. None when that read is not filtered either. */
export async function readMachineIds(readPages: ReadMachines, filters: FilterValues): Promise<string[]> {
  const {machineIdentifiers = []} = filters
  const ids: string[] = []
  try {
    for await (const page of readPages('machines.list', {filters: {machineIdentifiers, includeDeleted: true}})) {
      for (const {id} of page.records) if (id !== undefined) ids.push(isNumber(id) ? numberText(id) : String(id))
    }
  } catch (error) {
    if (error instanceof CliFailure && error.code === 'FILTER_NOT_HONOURED') return []
    throw error
  }

  return ids
}
