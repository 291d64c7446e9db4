import type {FilterValues} from '../../client/types.js'
import {allFieldsOf, limits, type ReadId, readOperation} from '../../contract/index.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {spellFields} from '../plan/merge.js'
import type {Reader} from '../plan/read-at-most.js'

export type FoundMachines = {
  /** By the spelling of the contract, in the order of the service. */
  machines: JsonRecord[]
  requests: number
}

/** Reads the machines that filters find; identifiers are asked for in as many requests as they need. */
export async function readMachines(client: Reader, read: ReadId, filters: FilterValues): Promise<FoundMachines> {
  const fields = allFieldsOf(readOperation(read).resource)
  const found: FoundMachines = {machines: [], requests: 0}
  for (const some of inParts(filters.machineIdentifiers)) {
    const asked = {...filters, ...(some && {machineIdentifiers: some})}
    for await (const page of client.readPages(read, {filters: asked})) {
      found.requests++
      for (const record of page.records) found.machines.push(Object.fromEntries(spellFields(record, fields)))
    }
  }

  return found
}

function inParts(values: JsonValue | undefined): (JsonValue[] | undefined)[] {
  if (!Array.isArray(values)) return [undefined]
  const {maximumPageSize: most} = limits
  return Array.from({length: Math.ceil(values.length / most)}, (_, part) =>
    values.slice(part * most, (part + 1) * most),
  )
}

/** Machines by their ids and their serials, without case as the service finds them. */
export function indexMachines(machines: readonly JsonRecord[]): Map<string, JsonRecord> {
  const keys = machines.flatMap((machine) =>
    [machine['prose'], machine['id']].map((key): [string, JsonRecord] => [foldIdentifier(key), machine]),
  )
  return new Map(keys.filter(([key]) => key !== ''))
}

export function foldIdentifier(value: JsonValue | undefined): string {
  return idText(value).trim().toLowerCase()
}

/** What people call a machine: its serial, or else its name. */
export function nameOfMachine({prose, name}: JsonRecord): {name?: string} {
  const text = [prose, name].find((one) => typeof one === 'string' && one !== '')
  return typeof text === 'string' ? {name: text} : {}
}
