import {readOperation, templateFieldOf, type Write, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {counted, listed} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {Reader} from '../records/read-current.js'
import type {PlannedRow} from '../rows/cut-sets.js'
import {mapRows} from '../rows/packed-rows.js'
import type {Batch, Comparison, Matched, Shown} from '../rows/phases.js'
import {idOf} from '../rows/row-content.js'
import {nameOfMachine} from './plan-machines.js'
import {compareTemplate, probeOf, readSelections, readTemplates, type SelectionGroups} from './read-selections.js'

/**
 * Changes that the templates of rows would make in their machines; a machine without changes is not sent. Throws a
 * `CliFailure` (invalid) for a template without selections, or for one and machines of several organizations.
 */
export async function compareTemplates(
  matched: Matched,
  {client, sendUnchanged}: {client: Reader; sendUnchanged: boolean},
): Promise<Shown> {
  const write = writeOperation(matched.operation)
  const {comparison, notices, requests} = await compareMachines(matched, client, matched.found?.records)
  const changed = new Set(comparison.changes.map(({id}) => idText(id)))
  const isSent = (row: PlannedRow) => row.skip !== undefined || changed.has(idText(idOf(row, write)))
  const rows = sendUnchanged
    ? matched.rows
    : mapRows(matched.rows, (row) => (isSent(row) ? row : {...row, skip: 'unchanged'}))
  return {rows, comparison, requests, notices}
}

/** Throws `invalid` for a template and machines of several organizations: it belongs to one of them. */
function refuseOwners(sent: readonly PlannedRow[], write: Write): void {
  const owned = sent.filter(({record}) => (record['organizationId'] ?? null) !== null)
  const textOf = (field: string) => (row: PlannedRow) => idText(row.record[field])
  for (const [template, some] of Map.groupBy(owned, textOf(templateFieldOf(write)))) {
    const owners = [...Map.groupBy(some, textOf('organizationId'))]
    if (owners.length > 1) throw ofOthers(write, template, owners)
  }
}

function ofOthers(write: Write, template: string, owners: [string, PlannedRow[]][]): CliFailure {
  const of = owners.map(([owner, rows]) => `${counted(rows.length, 'machine')} of organization ${owner}`)
  const commands = owners.map(([, rows]) => {
    const machine = rows.map((row) => idText(idOf(row, write))).join(',')
    return commandLine(write.command, [], {template, machine, 'dry-run': true})
  })
  return new CliFailure(
    `A template belongs to one organization, but template ${template} is to be applied to ${of.join(', ')}; nothing was sent.`,
    {
      code: 'OTHER_ORGANIZATION',
      exit: 'invalid',
      hints: ['Name the machines of its organization only; to see what that would change:', ...commands],
    },
  )
}

type Compared = {comparison: Comparison; notices: string[]; requests: number}

/** Changes that the templates of the rows to send would make in their machines. */
export async function compareMachines(
  {operation, rows}: Pick<Batch, 'operation' | 'rows'>,
  client: Reader,
  machines: ReadonlyMap<string, JsonRecord> = new Map(),
): Promise<Compared> {
  const write = writeOperation(operation)
  const sent = [...rows].filter(({skip}) => skip === undefined)
  refuseOwners(sent, write)
  const compared: Compared = {
    comparison: {changes: [], missing: [], unchanged: 0, machines: []},
    notices: [],
    requests: 0,
  }
  if (sent.length === 0) return compared
  const records = sent.map(({record}) => record)
  const templates = await readTemplates(client, write, records)
  refuseEmpty(write, templates)
  const selections = await readSelections(client, write, records)
  const broken: string[] = []
  for (const {line, record} of sent) {
    const id = record[write.target] ?? null
    const name = nameOfMachine(machines.get(idText(id)) ?? {})
    const template = templates.groups.get(idText(record[templateFieldOf(write)])) ?? new Map()
    const found = compareTemplate(template, selections.groups.get(idText(id)) ?? new Map(), probeOf(write))
    const {changes, changed, created, unchanged} = found
    if (changes.length === 0) compared.comparison.unchanged++
    for (const change of changes) compared.comparison.changes.push({line, id, ...name, ...change})
    compared.comparison.machines?.push({id, ...name, changed, created, unchanged})
    broken.push(...found.broken.map((text) => `${name.name ?? idText(id)} ${text}`))
  }

  compared.requests = templates.requests + selections.requests
  compared.notices.push(...describeTwice(templates), ...describeBroken(broken))
  return compared
}

const mostNamed = 10

function describeBroken(broken: readonly string[]): string[] {
  if (broken.length === 0) return []
  return [`${counted(broken.length, 'selection')} would break a rule for levels: ${listed(broken, mostNamed)}`]
}

function describeTwice({twice}: SelectionGroups): string[] {
  return [...twice].map(
    ([id, names]) =>
      `template ${id} lists ${[...names].slice(0, mostNamed).join(', ')} more than once; the last of them is shown`,
  )
}

function refuseEmpty(write: Write, {groups}: SelectionGroups): void {
  const empty = [...groups].filter(([, selections]) => selections.size === 0).map(([id]) => id)
  if (empty.length === 0) return
  const [which, has] = empty.length === 1 ? ['Template', 'has'] : ['Templates', 'have']
  const {command} = readOperation(probeOf(write).template)
  throw new CliFailure(
    `${which} ${empty.join(', ')} ${has} no selections that this login may see, so there is nothing to apply; nothing was sent.`,
    {
      code: 'NO_SELECTIONS',
      exit: 'invalid',
      hints: [`See the selections of a template: ${commandLine(command, [], {template: empty.join(',')})}`],
    },
  )
}
