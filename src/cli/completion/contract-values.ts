import {
  allFieldsOf,
  documentNames,
  type Field,
  type Fields,
  type FilterKey,
  fieldsOf,
  filterOf,
  isWriteId,
  type Operation,
  operations,
  stageNames,
} from '../../contract/index.js'
import {explain, knownCodes} from '../../derive/explain.js'
import {type Column, columnsOf, toPath} from '../../formats/columns.js'
import {lineColumns, lineNamesOf} from '../../formats/lines.js'
import {summaryColumns} from '../../reports/summary-fields.js'
import {summaryKeys} from '../../reports/summary-keys.js'
import {resultColumns, runColumns} from '../run-columns.js'
import {settingKeys} from '../setting-keys.js'
import type {Choice} from './sources.js'

const all: Readonly<Record<string, Operation>> = operations
const booleans = ['true', 'false']

/** Columns of the records that a command prints. */
export function listColumns(commandId: string): Choice[] {
  if (commandId === 'runs:list') return runColumns.map(({name}) => ({value: name}))
  if (commandId === 'runs:results') return resultColumns.map(({name}) => ({value: name}))
  if (commandId === 'reports:summary') return summaryColumns(summaryKeys).map(({name}) => ({value: name}))
  const operation = operationOf(commandId)
  if (operation === undefined || operation.kind === 'session') return []
  const fields = allFieldsOf(operation.resource)
  const names = lineNamesOf(fields)
  const columns = names ? [...lineColumns(fields, names), ...columnsOf(fields)] : columnsOf(fields)
  const seen = new Map(columns.map((column) => [column.name, toChoice(column, fields)]))
  return [...seen.values()]
}

/** Fields that a file for a write may fill. */
export function listFields(commandId: string): Choice[] {
  const id = Object.keys(all).find((each) => each === idOf(commandId))
  if (id === undefined || !isWriteId(id)) return []
  const {body, resource} = operations[id]
  if (body === 'none') return [{value: 'id'}]
  const fields = fieldsOf(resource, body)
  return columnsOf(fields).map((column) => toChoice(column, fields))
}

export function listOperations(): Choice[] {
  return Object.entries(all).map(([value, {about}]) => ({value, about}))
}

export function listDocuments(): Choice[] {
  return [...listOperations(), ...Object.entries(documentNames).map(([value, about]) => ({value, about}))]
}

export function listRoutes(): Choice[] {
  return Object.values(all).map(({path, about}) => ({value: path, about}))
}

export function listMethods(): Choice[] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({value}))
}

export function listFilters(): Choice[] {
  const keys = new Set(Object.values(all).flatMap((row) => (row.kind === 'session' ? [] : Object.keys(row.filters))))
  return [...keys].map((value) => ({value, about: filterOf(value as FilterKey).about}))
}

export function listCodes(): Choice[] {
  return knownCodes().map((value) => ({value, about: explain(value).found[0]?.meaning}))
}

const settingValues: Readonly<Record<string, readonly string[]>> = {
  stage: stageNames,
  readMethod: ['GET', 'POST'],
  protected: booleans,
}

export function listSettings(): Choice[] {
  return Object.entries(settingKeys).map(([value, {about}]) => ({value, about, values: settingValues[value] ?? []}))
}

/** `machines:custom-data:create` is the command of `machines.custom-data.create`. */
function idOf(commandId: string): string | undefined {
  const command = commandId.replaceAll(':', ' ')
  return Object.keys(all).find((id) => all[id]?.command === command)
}

function operationOf(commandId: string): Operation | undefined {
  return all[idOf(commandId === 'reports:coverage' ? 'reports:transactions' : commandId) ?? '']
}

function toChoice({name}: Column, fields: Fields): Choice {
  const field = findField(name, fields)
  const values = field?.kind === 'boolean' ? booleans : (field?.of ?? [])
  return {value: name, about: field?.about, values}
}

function findField(name: string, fields: Fields): Field | undefined {
  const [first = '', ...rest] = toPath(name)
  const field = fields[first] ?? fields[`${first}s`]
  return rest.length > 0 && field?.fields ? findField(rest.join('.'), field.fields) : field
}
