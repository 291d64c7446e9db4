import {
  allFieldsOf,
  type FieldsOfFilters,
  type FilterKey,
  filterOf,
  limits,
  type ReadId,
  readOperation,
  type Write,
} from '../../contract/index.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {spellFields} from '../plan/merge.js'
import type {Reader} from '../plan/read-at-most.js'
import type {Selections, TemplateProbe} from './template-changes.js'

/** Selections by the id of the machine or template that they belong to. */
export type SelectionGroups = {
  groups: ReadonlyMap<string, Selections>
  /** Names that stand more than once in a group. */
  twice: ReadonlyMap<string, ReadonlySet<string>>
  requests: number
}

/** Reads what the templates hold that records name. */
export function readTemplates(client: Reader, write: Write, records: readonly JsonRecord[]): Promise<SelectionGroups> {
  const {template, by} = probeOf(write)
  return readGroups({client, read: template, fields: write.sentAs, by}, records)
}

/** Reads what the machines hold that records name. */
export function readSelections(client: Reader, write: Write, records: readonly JsonRecord[]): Promise<SelectionGroups> {
  const {read, filters, by} = probeOf(write)
  return readGroups({client, read, fields: filters, by}, records)
}

export function probeOf({probe}: Write): TemplateProbe {
  if (probe.kind !== 'template') throw new TypeError(`a probe of kind ${probe.kind} compares no template`)
  return probe
}

type Groups = {client: Reader; read: ReadId; fields: FieldsOfFilters; by: string}

async function readGroups(
  {client, read, fields, by}: Groups,
  records: readonly JsonRecord[],
): Promise<SelectionGroups> {
  const {filters, resource} = readOperation(read)
  const named = (Object.entries(fields) as [FilterKey, string][]).find(([key]) => key in filters)
  if (!named) throw new TypeError(`${read} does not find selections by what they belong to`)
  const [key, field] = named
  const wanted = new Map(records.map(({[field]: id = null}): [string, JsonValue] => [idText(id), id]))
  const ids = filterOf(key).kind === 'texts' ? [...wanted.keys()] : [...wanted.values()]
  const groups = new Map([...wanted.keys()].map((id) => [id, new Map<string, JsonRecord>()]))
  const twice = new Map<string, Set<string>>()
  let requests = 0
  for (let start = 0; start < ids.length; start += limits.maximumPageSize) {
    const asked = {[key]: ids.slice(start, start + limits.maximumPageSize)}
    for await (const page of client.readPages(read, {filters: asked})) {
      requests++
      for (const record of page.records) {
        const selection = Object.fromEntries(spellFields(record, allFieldsOf(resource)))
        const [id, name] = [idText(selection[field]), idText(selection[by])]
        const group = groups.get(id)
        if (group?.has(name)) twice.set(id, (twice.get(id) ?? new Set()).add(name))
        group?.set(name, selection)
      }
    }
  }

  return {groups, twice, requests}
}
