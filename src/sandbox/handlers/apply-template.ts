import {isRecord, type JsonRecord, parseJson, printJson} from '../../values/json.js'
import {refuse, toPointer} from '../request/refused.js'
import {textOf, toKey} from '../store/keys.js'
import {findMachines, findTargets} from './existing.js'
import type {Call, WriteHandler} from './handler.js'
import {mayAccess} from './read-conditions.js'
import {markPlanogram, toSelection} from './write-selections.js'

/** Applies one template to machines of one organization; selections that are not in it stay as they are. [pub] [dec] */
export const applyTemplate: WriteHandler = (call) => {
  const machines = findMachines(findTargets('machineIdentifiers', call), call)
  const [owner = 0, ...others] = new Set(machines.map((machine) => Number(machine['organization_id'])))
  const holders = findTemplate(call, owner)
  if (others.length > 0)
    throw refuse('GENERIC_ERROR', 'The machines belong to more than one organization.', [], 'machineIdentifiers')
  const changed = new Set(machines.map(({id}) => Number(id)))
  for (const machineId of changed) for (const given of holders) applyTo(machineId, given, call)
  markPlanogram(call, changed)
  return []
}

/** The selections of the one template that the request names. */
function findTemplate(call: Call, owner: number): JsonRecord[] {
  const {store, caller} = call
  const ids = findTargets('templateIds', call)
  const [id, ...others] = new Set(ids.map(toKey))
  if (others.length > 0) throw refuse('MULTIPLE_TEMPLATES', undefined, ids.map(toPointer), 'templateIds')
  const named = [toPointer(ids[0])]
  const row = store.database.get('SELECT organization_id FROM template WHERE id = ? AND deleted = 0', id ?? 0)
  if (!row) throw refuse('MISSING_RECORD', 'Template does not exist.', named, 'templateIds')
  if (!mayAccess(caller, Number(row['organization_id']))) throw refuse('DATA_ACCESS', undefined, named, 'templateIds')
  if (row['organization_id'] !== owner)
    throw refuse('GENERIC_ERROR', 'The template belongs to another organization.', named, 'templateIds')
  const sql = 'SELECT json FROM template_selection WHERE template_id = ? AND deleted = 0 ORDER BY id'
  const holders = store.database.all(sql, id ?? 0).map(({json}) => parseJson(String(json)))
  if (holders.length === 0) throw refuse('NO_SELECTIONS', undefined, named, 'templateIds')
  return holders.filter(isRecord)
}

const setByTemplate = ['productId', 'price', 'invoicePrice', 'depth', 'commission', 'tax']

/** Changes the selection of that number, or creates one without stock. */
function applyTo(machineId: number, given: JsonRecord, {store}: Call): void {
  const {par = null} = given
  const number = textOf(given['selectionNumber'])
  const set = {...Object.fromEntries(setByTemplate.map((name) => [name, given[name] ?? null])), restockTo: par}
  const sql = 'SELECT id, json FROM selection WHERE machine_id = ? AND number = ? AND deleted = 0'
  const row = store.database.get(sql, machineId, number)
  const current = row && parseJson(String(row['json']))
  if (row && isRecord(current)) {
    const changed = {...current, ...set}
    if (printJson(changed) !== row['json']) store.update('selection', Number(row['id']), changed)
    return
  }
  const id = store.nextId('selection')
  const created = {...set, machineId, selectionNumber: number, count: 0, freeCount: 0}
  store.insert('selection', id, toSelection(id, created, true))
}
