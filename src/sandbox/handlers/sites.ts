import {fieldsOf} from '../../contract/index.js'
import {isNumber, isRecord, type JsonRecord, type JsonValue} from '../../values/json.js'
import {checkSet, type Element} from '../check-set.js'
import {foreign, mayAccess} from '../data-access.js'
import {toKey} from '../keys.js'
import {createProblems, nameById, nameByIndex, type Problems} from '../problems.js'
import {refuse} from '../refusal.js'
import type {Columns} from '../store.js'
import type {Call, WriteHandler} from './handler.js'
import {checkNames, checkSite, createParents} from './site-rules.js'

const siteFields = Object.entries(fieldsOf('site', 'read'))

/** Creates sites; answers their ids in the order of the request. */
export const createSites: WriteHandler = (call) => {
  const problems = createProblems(nameByIndex)
  const elements = checkSet(call.request.body, 'site', 'create', problems)
  checkSites(elements, new Set(), call, problems)
  const first = call.store.nextId('site')
  return elements.map(({record}, index) => {
    const id = first + index
    const whole = toWholeSite(id, record, true)
    call.store.insert('site', id, whole, toSiteColumns(whole))
    return id
  })
}

/** Replaces sites: a field that is left out becomes null, and isEnabled stays as it is. [pub] */
export const updateSites: WriteHandler = (call) => {
  const {body} = call.request
  const problems = createProblems(nameById(body))
  const elements = checkSet(body, 'site', 'update', problems)
  const ids = elements.map(({record}) => toKey(record['id']))
  for (const element of elements) checkExisting(element, call, problems)
  checkSites(elements, new Set(ids), call, problems)
  checkDistinct(ids)
  for (const {record} of elements) replaceSite(record, call)
  return []
}

/** Two elements for one record would affect fewer rows than there are elements. */
export function checkDistinct(ids: (number | bigint)[]): void {
  const seen = new Set<number | bigint>()
  const twice = new Set<number | bigint>()
  for (const id of ids) (seen.has(id) ? twice : seen).add(id)
  if (twice.size === 0) return
  const pointers = [...twice].map((id) => (typeof id === 'number' ? id : String(id)))
  throw refuse('UNEXPECTED_RESULT_COUNT', 'A record is named more than once in the set.', pointers, 'id')
}

/** The columns a site is searched by. */
export function toSiteColumns(site: JsonRecord): Columns {
  const {orgId, accountId, name, timeZone} = site
  return {
    organization_id: toKey(orgId),
    account_id: toKey(accountId),
    name: String(name),
    time_zone: typeof timeZone === 'string' ? timeZone : null,
  }
}

function checkSites(elements: Element[], ids: ReadonlySet<unknown>, call: Call, problems: Problems): void {
  const sound = elements.filter(({isSound}) => isSound)
  const findParent = createParents(call)
  for (const element of sound) checkSite(element, call.caller, findParent, problems)
  checkNames(sound, ids, call, problems)
  problems.throwIfAny()
}

function checkExisting({index, record}: Element, {store, caller}: Call, problems: Problems): void {
  if (!isNumber(record['id'])) return
  const site = store.database.get('SELECT organization_id FROM site WHERE id = ? AND deleted = 0', toKey(record['id']))
  if (!site) problems.add('MISSING_RECORD', 'Site does not exist.', index)
  else if (!mayAccess(caller, Number(site['organization_id']))) {
    problems.add('DATA_ACCESS', foreign, index)
  }
}

function replaceSite(record: JsonRecord, {store}: Call): void {
  const id = Number(toKey(record['id']))
  const whole = toWholeSite(id, record, store.find('site', id)?.['isEnabled'] ?? true)
  store.update('site', id, whole, toSiteColumns(whole))
}

function toWholeSite(id: number, given: JsonRecord, isEnabled: JsonValue): JsonRecord {
  const whole: JsonRecord = {}
  for (const [name, {fields}] of siteFields) {
    const value = given[name] ?? null
    whole[name] = fields && isRecord(value) ? fillNull(value, Object.keys(fields)) : value
  }
  return {...whole, id, isEnabled}
}

function fillNull(given: JsonRecord, names: string[]): JsonRecord {
  return Object.fromEntries(names.map((name) => [name, given[name] ?? null]))
}
