import type {JsonRecord} from '../../values/json.js'
import type {Store} from '../store/record-store.js'
import {pick, type Random} from './random.js'
import * as words from './word-lists.js'

export const firstIds = {
  organization: 101,
  account: 201,
  chargeKey: 301,
  site: 1_001,
  machine: 5_001,
  alertCode: 1,
  alert: 70_001,
  batch: 1_467,
  selection: 20_001,
  template: 411,
  templateSelection: 45_001,
  adjustment: 1_625,
  machineSetting: 3_001,
  session: 8_001,
  sessionEvent: 30_001,
  role: 61,
  roleRight: 6_001,
}

/** Belongs to no organization. */
export const globalChargeKey = firstIds.chargeKey + words.organizationNames.length

export function loadOrganizations(store: Store): void {
  for (const [index, name] of words.organizationNames.entries()) {
    const id = firstIds.organization + index
    const timeZone = words.organizationZones[index] ?? null
    store.insert('organization', id, {id, name, timeZone, isEnabled: true})
    store.database.run('INSERT INTO charge_key VALUES (?, ?)', firstIds.chargeKey + index, id)
  }
  store.database.run('INSERT INTO charge_key VALUES (?, NULL)', globalChargeKey)
}

export function loadAccounts(store: Store): void {
  for (const [index, name] of words.accountNames.entries()) {
    const id = firstIds.account + index
    const organizationId = firstIds.organization + (index % words.organizationNames.length)
    const externalId = index % 3 === 0 ? null : `00${index}-A`
    store.insert('account', id, {id, organizationId, name, externalId, isEnabled: index !== 11})
  }
}

/** The sites; the last two are deleted. */
export function loadSites(store: Store, random: Random): void {
  for (const [index, name] of words.siteNames.entries())
    store.insert('site', firstIds.site + index, toSite(index, name, random))
  const last = firstIds.site + words.siteNames.length - 1
  for (const id of [last - 1, last]) store.remove('site', id)
}

function toSite(index: number, name: string, random: Random): JsonRecord {
  const account = index % words.accountNames.length
  const organization = account % words.organizationNames.length
  const street = `${index + 1} ${pick(random, ['Weir Road', 'High Street', 'Chapel "Row"'])}`
  return {
    id: firstIds.site + index,
    accountId: firstIds.account + account,
    orgId: firstIds.organization + organization,
    name,
    contact: index % 4 === 0 ? null : toContact(random),
    commissionPercentage: index % 5 === 0 ? null : index % 13,
    isActive: index % 9 !== 8,
    timeZone: words.siteZones[index % words.siteZones.length] ?? null,
    isEnabled: true,
    maxChargePrice: 500 + 50 * (index % 7),
    billingAddress: index % 6 === 5 ? null : `${street}\nTarnford`,
    shippingAddress: index % 2 === 0 ? null : street,
    maximumMeterSalesJumpAllowed: 1_000,
    commissionTerms: pick(random, ['PrePaid', 'Net10', 'Net15', 'Net30', 'Net45', 'Net60']),
    externalAccountTerminalId: index % 3 === 0 ? `000${index}` : null,
    chargeKeyId: index % 4 === 1 ? firstIds.chargeKey + organization : null,
  }
}

function toContact(random: Random): JsonRecord {
  const firstName = pick(random, words.firstNames)
  return {
    firstName,
    lastName: pick(random, words.lastNames),
    telephoneNumber: random() < 0.3 ? null : `+1 555 01${Math.floor(10 + random() * 89)}`,
    emailAddress: `${firstName.toLowerCase()}@example.com`,
  }
}
