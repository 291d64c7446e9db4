import {
  allFieldsOf,
  type Field,
  type FieldsOfFilters,
  type FilterKey,
  type Probe,
  type ReadId,
  readOperation,
  type Write,
} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {type Disorder, findDisorders} from '../check/record-rules.js'
import {type Reader, readNamedBy} from '../records/read-current.js'
import {type FieldChange, isSame} from '../rows/merge-fields.js'

/** Selections by the id of the machine or template that they belong to. */
export type SelectionGroups = {
  groups: ReadonlyMap<string, Selections>
  /** Names that occur more than once in a group. */
  twice: ReadonlyMap<string, ReadonlySet<string>>
  requests: number
}

/** Reads the selections of the templates that records name. */
export function readTemplates(client: Reader, write: Write, records: readonly JsonRecord[]): Promise<SelectionGroups> {
  const {template, by} = probeOf(write)
  return readGroups({client, read: template, fields: write.sentAs, by}, records)
}

/** Reads the selections of the machines that records name. */
export function readSelections(client: Reader, write: Write, records: readonly JsonRecord[]): Promise<SelectionGroups> {
  const {read, filters, by} = probeOf(write)
  return readGroups({client, read, fields: filters, by}, records)
}

export function probeOf({probe}: Write): TemplateProbe {
  if (probe.kind !== 'template') throw new TypeError(`a probe of kind ${probe.kind} compares no template`)
  return probe
}

async function readGroups(
  {client, read, fields, by}: {client: Reader; read: ReadId; fields: FieldsOfFilters; by: string},
  records: readonly JsonRecord[],
): Promise<SelectionGroups> {
  const {filters} = readOperation(read)
  const named = (Object.entries(fields) as [FilterKey, string][]).find(([key]) => key in filters)
  if (!named) throw new TypeError(`${read} does not find selections by what they belong to`)
  const [key, field] = named
  const ids = records.map(({[field]: id = null}) => id)
  const groups = new Map(ids.map((id) => [idText(id), new Map<string, JsonRecord>()]))
  const twice = new Map<string, Set<string>>()
  const {records: selections, requests} = await readNamedBy(client, read, key, ids)
  for (const selection of selections) {
    const [id, name] = [idText(selection[field]), idText(selection[by])]
    const group = groups.get(id)
    if (group?.has(name)) twice.set(id, (twice.get(id) ?? new Set()).add(name))
    group?.set(name, selection)
  }

  return {groups, twice, requests}
}

/** Selections by what names them in their machine or template. */
export type Selections = ReadonlyMap<string, JsonRecord>

type TemplateProbe = Extract<Probe, {kind: 'template'}>

/** Effect of a template on the selections of a machine; those that it does not name do not change. */
type TemplateChanges = {
  changes: (FieldChange & {selection: string})[]
  changed: number
  created: number
  unchanged: number
  /** Rules of the service that the new values would break, in words. */
  broken: string[]
}

/** Compares the selections of a machine with a template, in every field that the template has. Pure. */
export function compareTemplate(template: Selections, selections: Selections, probe: TemplateProbe): TemplateChanges {
  const found: TemplateChanges = {changes: [], changed: 0, created: 0, unchanged: 0, broken: []}
  const {resource} = readOperation(probe.read)
  const fields = allFieldsOf(resource)
  for (const [selection, wanted] of template) {
    const now = selections.get(selection)
    const changes = compareFields(now ?? {}, wanted, probe, fields)
    const all = now ? changes : [{field: probe.by, from: null, to: selection}, ...changes]
    if (!now) found.created++
    else if (changes.length > 0) found.changed++
    for (const change of all) found.changes.push({selection, ...change})
    const made = {...now, ...Object.fromEntries(changes.map(({field, to}) => [field, to]))}
    const [broken] = changes.length > 0 ? findDisorders(resource, made) : []
    if (broken) found.broken.push(`${selection} (${describeBroken(broken)})`)
  }

  found.unchanged = selections.size - found.changed
  return found
}

function describeBroken({low, high, values: [below, above]}: Disorder): string {
  return `${low} ${below} above ${high} ${above}`
}

type Fields = Readonly<Record<string, Field>>

function compareFields(now: JsonRecord, wanted: JsonRecord, {sets}: TemplateProbe, fields: Fields): FieldChange[] {
  return Object.entries(sets).flatMap(([field, of]) => {
    const [from, to] = [now[field] ?? null, wanted[of]]
    return to === undefined || isSame(from, to, fields[field]) ? [] : [{field, from, to}]
  })
}
