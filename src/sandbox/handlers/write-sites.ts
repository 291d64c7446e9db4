import {fieldsOf} from '../../contract/index.js'
import type {Row} from '../../core/sqlite.js'
import {isRecord, type JsonRecord, type JsonValue} from '../../values/json.js'
import {isZone} from '../../values/zones.js'
import {blameRepeated} from '../request/problems.js'
import {toKey} from '../store/keys.js'
import {checkSet, type Element} from './check-set.js'
import {checkUnique, deleteRecords, findExisting, idsOf, insertAll, moveBelongings} from './existing.js'
import type {Call, WriteCall, WriteHandler} from './handler.js'
import {foreign, mayAccess} from './read-conditions.js'

const siteFields = Object.entries(fieldsOf('site', 'read'))

/** Creates sites; answers their ids in the order of the request. */
export const createSites: WriteHandler = (call) => {
  const elements = checkSet(call)
  checkSites(elements, new Set(), call)
  return insertAll('site', elements, call, (id, {record}) => toSite(id, record, true))
}

/** Replaces sites: a field that is left out becomes null, and isEnabled stays as it is. [pub] */
export const updateSites: WriteHandler = (call) => {
  const elements = checkSet(call)
  for (const element of elements) findExisting('site', element, call)
  blameRepeated(elements, call.problems)
  checkSites(elements, idsOf(elements), call)
  const moving = elements.filter((element) => isMoving(element, call)).map(({record}) => toKey(record['id']))
  for (const {record} of elements) {
    const id = Number(toKey(record['id']))
    call.store.update('site', id, toSite(id, record, call.store.find('site', id)?.['isEnabled'] ?? true))
  }
  if (moving.length > 0) moveChildren(`[${moving.join(',')}]`, call)
  return []
}

/** Marks sites as deleted and not in use; their machines stay. [dec] */
export const deleteSites: WriteHandler = (call) => {
  deleteRecords('site', 'isEnabled', call)
  return []
}

/** Names are unique in their account. `ids` are the sites that the set itself changes. */
function checkSites(elements: Element[], ids: ReadonlySet<unknown>, call: WriteCall): void {
  checkUnique(elements, ids, call, {
    check: (element) => checkSite(element, call),
    table: 'site',
    keyOf: ({accountId, name}) => ({account_id: toKey(accountId), name: String(name)}),
    code: 'NAME_UNIQUENESS',
    message: 'A site with this name already exists in its account.',
  })
}

function isMoving({record}: Element, {store}: Call): boolean {
  const {id, orgId, accountId} = record
  const sql = 'SELECT id FROM site WHERE id = ? AND organization_id = ? AND account_id = ?'
  return store.database.get(sql, toKey(id), toKey(orgId), toKey(accountId)) === undefined
}

/** Columns that each table keeps of the site of its records. */
const keptOfSite = {
  machine: `organization_id = site.organization_id, account_id = site.account_id,
    json = json_set(machine.json, '$.organizationId', site.organization_id)`,
  alert: `organization_id = site.organization_id,
    json = json_set(alert.json, '$.organizationId', site.organization_id, '$.accountId', site.account_id)`,
  ...Object.fromEntries(
    ['adjustment', 'batch', 'metadata'].map((table) => [
      table,
      'organization_id = site.organization_id, account_id = site.account_id',
    ]),
  ),
}

/** Machines, alerts and batches of a site belong to its account and organization, also after it moved. */
function moveChildren(sites: string, {store}: Call): void {
  const moved = 'site.id IN (SELECT value FROM json_each(?))'
  for (const [table, kept] of Object.entries(keptOfSite))
    store.change(`UPDATE ${table} SET ${kept} FROM site WHERE site.id = ${table}.site_id AND ${moved}`, sites)
  const machines = store.database.all(
    `SELECT machine.id FROM machine JOIN site ON site.id = site_id WHERE ${moved}`,
    sites,
  )
  const ids = machines.map(({id}) => Number(id))
  moveBelongings(store, ids)
}

function toSite(id: number, given: JsonRecord, isEnabled: JsonValue): JsonRecord {
  const site: JsonRecord = {}
  for (const [name, {fields}] of siteFields) {
    const value = given[name] ?? null
    site[name] = fields && isRecord(value) ? fillNull(value, Object.keys(fields)) : value
  }
  return {...site, id, isEnabled}
}

/** An object with all of its fields: those that are not given are null. */
export function fillNull(given: JsonRecord, names: string[]): JsonRecord {
  return Object.fromEntries(names.map((name) => [name, given[name] ?? null]))
}

type Organizational = 'organization' | 'account' | 'charge_key'

/** Everything a site must obey beyond the rules of its fields, names aside. */
function checkSite({index, record}: Element, {store, caller, problems}: WriteCall): void {
  const {orgId, accountId, timeZone, chargeKeyId = null} = record
  const organization = checkParent('organization', 'Organization', orgId)
  const account = checkParent('account', 'Account', accountId)
  if (account && organization && account !== organization)
    problems.add('SITE_VALIDATION', 'accountId names an account of another organization.', index)
  if (typeof timeZone === 'string' && !isZone(timeZone))
    problems.add('SITE_VALIDATION', 'timeZone is not a known time zone.', index)
  if (chargeKeyId !== null) checkChargeKey()

  function findParent(table: Organizational, id: JsonValue | undefined): Row | undefined {
    const alive = table === 'charge_key' ? '' : ' AND deleted = 0'
    return store.database.get(`SELECT organization_id FROM ${table} WHERE id = ?${alive}`, toKey(id))
  }

  /** The organization that a named record belongs to; undefined when it cannot be named. */
  function checkParent(table: Organizational, label: string, id: JsonValue | undefined) {
    const parent = findParent(table, id)
    if (!parent) problems.add('MISSING_RECORD', `${label} does not exist.`, index)
    const owner = parent?.['organization_id']
    if (typeof owner !== 'number') return undefined
    if (mayAccess(caller, owner)) return owner
    problems.add('DATA_ACCESS', foreign, index)
    return undefined
  }

  function checkChargeKey(): void {
    if (findParent('charge_key', chargeKeyId)?.['organization_id'] === null) {
      problems.add('GLOBAL_CHARGE_KEY', 'chargeKeyId names a global charge key.', index)
      return
    }
    const owner = checkParent('charge_key', 'Charge key', chargeKeyId)
    if (owner && organization && owner !== organization)
      problems.add('SITE_VALIDATION', 'chargeKeyId names a charge key of another organization.', index)
  }
}
