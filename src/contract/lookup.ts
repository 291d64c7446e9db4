import type {
  ExitCode,
  Field,
  Fields,
  Filter,
  Range,
  Read,
  Refusal,
  Report,
  Stage,
  StageRow,
  Use,
} from './base/grammar.js'
import {refusals} from './base/refusals.js'
import {type ExitName, exitCodes} from './exit-codes.js'
import {type FilterKey, fields, filters, type Resource, recordKeys} from './filters.js'
import {type OperationId, operations, type ReadId, type ReportId, type WriteId} from './operations.js'
import {stages} from './service-facts.js'
import {type Operation, type Write, writePolicies} from './write-policy.js'

export const operationIds = Object.keys(operations) as OperationId[]
export const readIds = operationIds.filter((id): id is ReadId => operations[id].kind === 'read')
export const writeIds = operationIds.filter((id): id is WriteId => operations[id].kind === 'write')
export const reportIds = readIds.filter((id): id is ReportId => readOperation(id).report !== undefined)
export const exitNames = Object.keys(exitCodes) as ExitName[]

/** The name of an exit code; of one that this program does not end with, that of a failure. */
export function exitNameOf(code: number | undefined): ExitName {
  return exitNames.find((name) => exitCodes[name].code === code) ?? 'failure'
}

export function isExitName(name: string): name is ExitName {
  return Object.hasOwn(exitCodes, name)
}
export const stageNames = Object.keys(stages) as Stage[]

/** Every bulk write with its route and its policy. */
const writes = Object.fromEntries(
  writeIds.map((id): [string, Write] => [id, {...operations[id], ...writePolicies[id]}]),
) as Readonly<Record<WriteId, Write>>

export function operationOf(id: OperationId): Operation {
  const operation = operations[id]
  return operation.kind === 'write' ? writeOperation(id as WriteId) : operation
}

export function findOperation(id: string): Operation | undefined {
  return Object.hasOwn(operations, id) ? operationOf(id as OperationId) : undefined
}

export function readOperation(id: ReadId): Read {
  return operations[id]
}

export function reportOperation(id: ReportId): Read & {readonly range: Range; readonly report: Report} {
  return operations[id]
}

export function findReport(command: string | undefined) {
  return reportIds.map(reportOperation).find((report) => report.command === command)
}

/** The clock that dates of a read are compared with: that of each machine, or UTC. */
export function dateClockOf(id: ReadId): 'local' | 'utc' {
  return readOperation(id).range?.clock ?? 'local'
}

/** The word for a report in flags: the last one of its command. */
export function reportWordOf(id: ReportId): string {
  return operations[id].command.split(' ').at(-1) ?? id
}

const itsPath = 'its path'

/** Whether the documentation of the service does not confirm the path of an operation. */
export function isPathUnconfirmed(operation: Operation): boolean {
  return operation.kind !== 'session' && operation.unconfirmed?.includes(itsPath) === true
}

/** A sentence on what the documentation does not confirm of an operation; undefined for nothing. */
export function describeUnconfirmed(operation: Operation | undefined): string | undefined {
  const {unconfirmed = []} = operation && operation.kind !== 'session' ? operation : {}
  if (unconfirmed.length === 0) return undefined
  return `Not confirmed by the service's documentation: ${unconfirmed.join(' and ')}.`
}

/** The operation of a command, such as `sites create`. */
export function findOperationOf(command: string): Operation | undefined {
  return allOperations.find((operation) => operation.command === command)
}

/** Whether one request of a write by filters takes a single value of a filter. */
export function takesOne({set, sentAs}: Write, key: FilterKey): boolean {
  return set.most === 1 || set.same?.includes(sentAs[key] ?? '') === true
}

export function writeOperation(id: WriteId): Write {
  return writes[id]
}

/** Every operation, in the order of the contract. */
export const allOperations: readonly Operation[] = operationIds.map(operationOf)

export function findRefusal(code: string): Refusal | undefined {
  return Object.hasOwn(refusals, code) ? refusals[code as keyof typeof refusals] : undefined
}

export function filterOf(key: FilterKey): Filter {
  return filters[key]
}

/** The filter of an operation whose values are the ids of its records. */
export function findIdFilter(operation: Read | Write): FilterKey | undefined {
  return filterKeysOf(operation).find((key) => operation.filters[key]?.join() === 'id')
}

/** The read of the records that the values of a filter name. */
export function findReadOf(key: FilterKey): ReadId | undefined {
  const {names} = filterOf(key)
  return names === null ? undefined : findListOf(names)
}

export function findListOf(resource: string): ReadId | undefined {
  return readIds.find((id) => operations[id].resource === resource)
}

/** What a record is after a write that does nothing else with it: `deleted`, `cleared`. */
export function endOf({deletes, probe, endState}: Write): string | undefined {
  if (deletes === 'all') return 'deleted'
  return probe.kind === 'endState' ? endState?.done : undefined
}

/** The resource of the records that a write changes, where a row is no such record but names one. */
export function changedResource({resource, target}: Write): string {
  return allFieldsOf(resource)[target]?.refersTo ?? resource
}

/** The field that a write sets or changes by a number, where some write changes it by a number: `selection.count`. */
export function countedField(id: WriteId): string | undefined {
  const resource = changedResource(writes[id])
  const others = Object.values<Write>(writes).filter((other) => changedResource(other) === resource)
  const {difference, live}: Write = writes[id]
  const field = difference?.field ?? live.find((name) => others.some((other) => other.difference?.field === name))
  return field && `${resource}.${field}`
}

/** The writes that change the same field as one that changes it by a number. */
export function writesOfField(field: string): WriteId[] {
  return (Object.keys(writes) as WriteId[]).filter((id) => countedField(id) === field)
}

/** The fields of a record that a write without a body sends, in its filters. */
export function fieldsSentAsFilters({sentAs}: Write): readonly string[] {
  return Object.values(sentAs)
}

/** The field of a row that names its template, which is no field of a machine. */
export function templateFieldOf({sentAs}: Write): string {
  return sentAs.templateIds ?? ''
}

export function filterKeysOf(operation: Read | Write): FilterKey[] {
  return Object.keys(operation.filters) as FilterKey[]
}

export function stageOf(stage: Stage): StageRow {
  return stages[stage]
}

export function exitCodeOf(name: ExitName): ExitCode {
  return exitCodes[name]
}

export function isStage(text: string): text is Stage {
  return Object.hasOwn(stages, text)
}

/** The fields that together name a record of a resource: `id`, unless it has none. */
export function recordKeyOf(resource: string): readonly string[] {
  return Object.hasOwn(recordKeys, resource) ? recordKeys[resource as keyof typeof recordKeys] : ['id']
}

/** All fields of a resource, whatever their use, in the order of columns. */
export function allFieldsOf(resource: string): Fields {
  return fields[resource as Resource]
}

/** The fields of a resource in records of one use, in the order of columns; nested fields likewise. */
export function fieldsOf(resource: string, use: Use): Record<string, Field> {
  return narrow(allFieldsOf(resource), use)
}

function narrow(all: Fields, use: Use): Record<string, Field> {
  const kept: Record<string, Field> = {}
  for (const [name, field] of Object.entries(all)) {
    if (!field.uses.includes(use)) continue
    kept[name] = field.fields ? {...field, fields: narrow(field.fields, use)} : field
  }

  return kept
}

/** The use of the records of a read, or of a file for a write. */
export function useOf(operation: Pick<Read, 'kind'> | Pick<Write, 'kind' | 'body'>): Use {
  if (operation.kind === 'read') return 'read'
  return operation.body === 'none' ? 'update' : operation.body
}

export function isReadId(id: string): id is ReadId {
  return (readIds as readonly string[]).includes(id)
}

export function isReportId(id: string): id is ReportId {
  return (reportIds as readonly string[]).includes(id)
}

export function isWriteId(id: string): id is WriteId {
  return (writeIds as readonly string[]).includes(id)
}

/** The name and version of a plan file; a change that breaks a reader gets a new number. */
export const planName = 'vendorctl-plan/2'

/** Documents about this program itself, by the names that are accepted in place of an operation. */
export const documentNames = {envelope: 'What --json prints.', plan: 'A plan file.', jobs: 'The jobs file.'} as const

/** The name and version of the envelope; a change that breaks a reader gets a new number. */
export const envelopeName = 'vendorctl/1'
