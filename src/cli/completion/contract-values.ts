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
import {mirrorTables} from '../../derive/mirror/tables.js'
import {type Column, columnsOf, toPath} from '../../formats/columns.js'
import {lineColumns, lineNamesOf} from '../../formats/lines.js'
import {summaryColumns} from '../../reports/summary/summary-fields.js'
import {summaryKeys} from '../../reports/summary/summary-keys.js'
import {resultColumns} from '../../runs/report/run-results.js'
import {settingKeys} from '../../settings/setting-keys.js'
import {toCommandName} from '../../values/command-facts.js'
import {requestColumns, runColumns} from '../read/own-columns.js'
import type {Choice} from './sources.js'

const all: Readonly<Record<string, Route>> = operations
const booleans = ['true', 'false']

/**
 * Values that completion offers from the contract and the sandbox, as JSON: by source, or by source and command. The
 * build writes them to a file, so that no table is loaded while a person waits for a Tab.
 */
export function writeChoices(commandIds: readonly string[], faultNames: readonly string[]): Record<string, string> {
  const routes = Object.entries(all)
  const listed = routes.map(([value, {about}]) => ({value, about}))
  const everywhere: Record<string, Choice[]> = {
    codes: knownCodes().map((value) => ({value, about: explain(value).found[0]?.meaning})),
    documents: [...listed, ...Object.entries(documentNames).map(([value, about]) => ({value, about}))],
    faults: toChoices(faultNames),
    filters: listFilters(),
    methods: toChoices(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    operations: listed,
    tables: toChoices(mirrorTables.map(({name}) => name)),
    routes: [...Map.groupBy(routes, ([, {path}]) => path)].map(([value, [first]]) => ({
      value,
      about: first?.[1].about,
    })),
    settings: Object.entries(settingKeys).map(([value, {about}]) => ({
      value,
      about,
      values: settingValues[value] ?? [],
    })),
  }
  const ofCommands = commandIds.flatMap((id) => [
    [`columns ${id}`, listColumns(id)] as const,
    [`fields ${id}`, listFields(id)] as const,
  ])
  const lists = [...Object.entries(everywhere), ...ofCommands.filter(([, choices]) => choices.length > 0)]
  return Object.fromEntries(lists.map(([key, choices]) => [key, JSON.stringify(choices)]))
}

const settingValues: Readonly<Record<string, readonly string[]>> = {
  stage: stageNames,
  readMethod: ['GET', 'POST'],
  protected: booleans,
}

function toChoices(values: readonly string[]): Choice[] {
  return values.map((value) => ({value}))
}

/** Columns of the records that a command prints. */
function listColumns(commandId: string): Choice[] {
  if (commandId === 'runs:list') return toChoices(runColumns.map(({name}) => name))
  if (commandId === 'sandbox:log') return toChoices(requestColumns.map(({name}) => name))
  if (commandId === 'runs:results') return toChoices(resultColumns.map(({name}) => name))
  if (commandId === 'reports:summary') return toChoices(summaryColumns(summaryKeys).map(({name}) => name))
  const operation = all[idOf(commandId === 'reports:coverage' ? 'reports:transactions' : commandId) ?? '']
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

function listFilters(): Choice[] {
  const keys = new Set(Object.values(all).flatMap((row) => (row.kind === 'session' ? [] : Object.keys(row.filters))))
  return [...keys].map((value) => ({value, about: filterOf(value as FilterKey).about}))
}

/** `machines:custom-data:create` is the command of `machines.custom-data.create`. */
function idOf(commandId: string): string | undefined {
  const command = toCommandName(commandId)
  return Object.keys(all).find((id) => all[id]?.command === command)
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
