import {
  allFieldsOf,
  documentNames,
  type Field,
  type Fields,
  type FilterKey,
  fieldsOf,
  filterOf,
  isWriteId,
  operations,
  type Route,
  stageNames,
} from '../../contract/index.js'
import {explain, knownCodes} from '../../derive/explain.js'
import {type Column, columnsOf, toPath} from '../../formats/columns.js'
import {lineColumns, lineNamesOf} from '../../formats/lines.js'
import {summaryColumns} from '../../reports/summary/summary-fields.js'
import {summaryKeys} from '../../reports/summary/summary-keys.js'
import {resultColumns, runColumns} from '../runs/run-columns.js'
import {settingKeys} from '../settings/setting-keys.js'
import type {Choice} from './sources.js'

const all: Readonly<Record<string, Route>> = operations
const booleans = ['true', 'false']

/**
 * All that values are chosen from and that the contract knows, as JSON: by source, or by source and command. Written
 * down by the build, so that the contract is not loaded while a person waits for a Tab.
 */
export function writeChoices(commandIds: readonly string[]): Record<string, string> {
  const everywhere = {
    codes: listCodes(),
    documents: listDocuments(),
    filters: listFilters(),
    methods: listMethods(),
    operations: listOperations(),
    routes: listRoutes(),
    settings: listSettings(),
  }
  const columns = commandIds.map((id) => [`columns ${id}`, listColumns(id)] as const)
  const fields = commandIds.map((id) => [`fields ${id}`, listFields(id)] as const)
  const all = [...Object.entries(everywhere), ...[...columns, ...fields].filter(([, choices]) => choices.length > 0)]
  return Object.fromEntries(all.map(([key, choices]) => [key, JSON.stringify(choices)]))
}

/** Columns of the records that a command prints. */
function listColumns(commandId: string): Choice[] {
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
function listFields(commandId: string): Choice[] {
  const id = Object.keys(all).find((each) => each === idOf(commandId))
  if (id === undefined || !isWriteId(id)) return []
  const {body, resource} = operations[id]
  if (body === 'none') return [{value: 'id'}]
  const fields = fieldsOf(resource, body)
  return columnsOf(fields).map((column) => toChoice(column, fields))
}

function listOperations(): Choice[] {
  return Object.entries(all).map(([value, {about}]) => ({value, about}))
}

function listDocuments(): Choice[] {
  return [...listOperations(), ...Object.entries(documentNames).map(([value, about]) => ({value, about}))]
}

function listRoutes(): Choice[] {
  return Object.values(all).map(({path, about}) => ({value: path, about}))
}

function listMethods(): Choice[] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({value}))
}

function listFilters(): Choice[] {
  const keys = new Set(Object.values(all).flatMap((row) => (row.kind === 'session' ? [] : Object.keys(row.filters))))
  return [...keys].map((value) => ({value, about: filterOf(value as FilterKey).about}))
}

function listCodes(): Choice[] {
  return knownCodes().map((value) => ({value, about: explain(value).found[0]?.meaning}))
}

const settingValues: Readonly<Record<string, readonly string[]>> = {
  stage: stageNames,
  readMethod: ['GET', 'POST'],
  protected: booleans,
}

function listSettings(): Choice[] {
  return Object.entries(settingKeys).map(([value, {about}]) => ({value, about, values: settingValues[value] ?? []}))
}

/** `machines:custom-data:create` is the command of `machines.custom-data.create`. */
function idOf(commandId: string): string | undefined {
  const command = commandId.replaceAll(':', ' ')
  return Object.keys(all).find((id) => all[id]?.command === command)
}

function operationOf(commandId: string): Route | undefined {
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
