import type {Row} from '../../core/sqlite.js'
import {isZone} from '../../values/zones.js'
import type {Element} from '../check-set.js'
import {foreign, mayAccess} from '../data-access.js'
import {toKey} from '../keys.js'
import type {Caller} from '../sessions.js'
import type {Problems} from '../wire/problems.js'
import {checkUnique} from './existing.js'
import type {Call} from './handler.js'

type Organizational = 'organization' | 'account' | 'charge_key'

type FindParent = (table: Organizational, id: number | bigint) => Row | undefined

/** Everything a site must obey beyond the rules of its fields, names aside. */
export function checkSite({index, record}: Element, caller: Caller, findParent: FindParent, problems: Problems): void {
  const organization = checkParent('organization', 'Organization', record['orgId'])
  const account = checkParent('account', 'Account', record['accountId'])
  if (account && organization && account !== organization) {
    problems.add('SITE_VALIDATION', 'accountId names an account of another organization.', index)
  }
  const {timeZone} = record
  if (typeof timeZone === 'string' && !isZone(timeZone)) {
    problems.add('SITE_VALIDATION', 'timeZone is not a known time zone.', index)
  }
  if (record['chargeKeyId'] !== undefined && record['chargeKeyId'] !== null) checkChargeKey()

  /** The organization that a named record belongs to; undefined when it cannot be named. */
  function checkParent(table: Organizational, label: string, id: Element['record'][string] | undefined) {
    const parent = findParent(table, toKey(id))
    if (!parent) problems.add('MISSING_RECORD', `${label} does not exist.`, index)
    const owner = parent?.['organization_id']
    if (typeof owner !== 'number') return undefined
    if (mayAccess(caller, owner)) return owner
    problems.add('DATA_ACCESS', foreign, index)
    return undefined
  }

  function checkChargeKey(): void {
    const key = findParent('charge_key', toKey(record['chargeKeyId']))
    if (key && key['organization_id'] === null) {
      problems.add('GLOBAL_CHARGE_KEY', 'chargeKeyId names a global charge key.', index)
      return
    }
    const owner = checkParent('charge_key', 'Charge key', record['chargeKeyId'])
    if (owner && organization && owner !== organization) {
      problems.add('SITE_VALIDATION', 'chargeKeyId names a charge key of another organization.', index)
    }
  }
}

/** Looks parents up, each one once for a set. */
export function createParents({store}: Call): FindParent {
  const known = new Map<string, Row | undefined>()
  return (table, id) => {
    const key = `${table} ${id}`
    if (!known.has(key)) {
      const alive = table === 'charge_key' ? '' : ' AND deleted = 0'
      known.set(key, store.database.get(`SELECT organization_id FROM ${table} WHERE id = ?${alive}`, id))
    }
    return known.get(key)
  }
}

/** Names are unique in their account. `ids` are the sites that the set itself changes. */
export function checkNames(elements: Element[], ids: ReadonlySet<unknown>, call: Call, problems: Problems): void {
  checkUnique(elements, ids, call, {
    table: 'site',
    keyOf: ({accountId, name}) => ({account_id: toKey(accountId), name: String(name)}),
    blame: (index) => problems.add('NAME_UNIQUENESS', 'A site with this name already exists in its account.', index),
  })
}
