import {findReadOf, type Read, type ReadId} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import type {Elements} from '../values/elements.js'
import {isNumber, isRecord, numberText} from '../values/json.js'
import {createFilterCheck, type FilterCheck} from './filter-check.js'
import type {FilterValues, Page, ReadRequest} from './types.js'

type ReadMachines = (id: ReadId, request: ReadRequest) => AsyncGenerator<Page, void, void>

/** Gives the filter check for each page of one read. */
export type PageChecks = (elements: Elements) => Promise<FilterCheck | undefined>

/**
 * Where records carry only the id of their machine and a serial may have been asked for, the first page with an
 * unexpected machine makes it ask, once, which machines the serials name.
 */
export function createPageChecks(readMachines: ReadMachines, operation: Read, request: ReadRequest): PageChecks {
  const {filters, skipFilterCheck = false} = request
  if (skipFilterCheck) return async () => undefined
  let check = createFilterCheck(operation, filters)
  if (!carriesIdOnly(operation, filters)) return async () => check
  let hasAsked = false

  return async (elements) => {
    if (hasAsked || !isSuspicious(operation, filters, elements)) return check
    hasAsked = true
    check = createFilterCheck(operation, filters, await readMachineIds(readMachines, filters))
    return check
  }
}

function carriesIdOnly(operation: Read, filters: FilterValues): boolean {
  const {machineIdentifiers: use} = operation.filters
  const {machineIdentifiers: asked} = filters
  return use?.matches.join() === 'machineId' && Array.isArray(asked) && asked.length > 0
}

/** Whether any record names a machine that was not asked for by its id. Unreadable records are left to the reader. */
function isSuspicious(operation: Read, filters: FilterValues, elements: Elements): boolean {
  const {machineIdentifiers = []} = filters
  const check = createFilterCheck(operation, {machineIdentifiers})
  for (let index = 0; index < elements.count; index++) {
    const record = tryParse(elements, index)
    if (isRecord(record) && check(record)) return true
  }

  return false
}

function tryParse(elements: Elements, index: number): unknown {
  try {
    return elements.parse(index)
  } catch {
    return undefined
  }
}

/** The ids of the machines that the identifiers name. None when that read is not filtered either. */
async function readMachineIds(readMachines: ReadMachines, filters: FilterValues): Promise<string[]> {
  const {machineIdentifiers = []} = filters
  const read = findReadOf('machineIdentifiers')
  const ids: string[] = []
  if (!read) return ids
  try {
    for await (const page of readMachines(read, {filters: {machineIdentifiers, includeDeleted: true}})) {
      for (const {id} of page.records) {
        if (id !== undefined) ids.push(isNumber(id) ? numberText(id) : String(id))
      }
    }
  } catch (error) {
    if (error instanceof CliFailure && error.code === 'FILTER_NOT_HONOURED') return []
    throw error
  }

  return ids
}
