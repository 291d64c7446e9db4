import {expect, test} from 'vitest'
import {type Field, type Fields, fields, sessionFields} from '../../src/contract/index.js'

/**
 * Written by hand from the contract, not from the tables: name, type, `?` for nullable, bound, and the uses in brackets:
 * r read, c create, u update, with `!` where the field may not be left out.
 */
const records: Record<string, string> = {
  organization: `
    id integer [r]
    name text <=100 [r]
    timeZone text? [r]
    isEnabled boolean [r]`,
  account: `
    id integer [r]
    organizationId integer [r]
    name text <=100 [r]
    externalId text? <=50 [r]
    isEnabled boolean [r]`,
  site: `
    id integer [r u!]
    accountId integer >=1 [r c! u!]
    orgId integer >=1 [r c! u!]
    name text <=100 [r c! u!]
    contact object? [r c u]
    contact.firstName text? [r c u]
    contact.lastName text? [r c u]
    contact.telephoneNumber text? [r c u]
    contact.emailAddress text? [r c u]
    commissionPercentage integer? >=0 [r c u]
    isActive boolean [r c! u!]
    timeZone text? <=50 [r c u]
    isEnabled boolean [r]
    maxChargePrice integer >=0 [r c! u!]
    billingAddress text? <=300 [r c u]
    shippingAddress text? <=300 [r c u]
    maximumMeterSalesJumpAllowed integer >=0 [r c! u!]
    commissionTerms choice of PrePaid Net10 Net15 Net30 Net45 Net60 [r c! u!]
    externalAccountTerminalId text? <=50 [r c u]
    chargeKeyId integer? >=1 [r c u]`,
  machine: `
    id integer [r]
    assetId integer [r]
    organizationId integer [r]
    siteId integer [r]
    typeId integer [r]
    machineMasterId integer [r]
    controllerFirmware object? [r]
    controllerFirmware.current text? [r]
    controllerFirmware.pendingUpdate text? [r]
    pcFirmware object? [r]
    pcFirmware.current text? [r]
    pcFirmware.pendingUpdate text? [r]
    forceUpdate boolean [r]
    prose text <=15 [r]
    name text <=120 [r]
    modelNumber text <=50 [r]
    taxPercentage decimal [r]
    commissionPercentage decimal [r]
    hasPlanogramChange boolean [r]
    callInCode text <=12 [r]
    enableAccountSales boolean [r]
    enableCashSales boolean [r]
    enableCreditSales boolean [r]
    mode text [r]
    isVisible boolean [r]
    createdAt dateTime [r]
    provisionedAt dateTime [r]
    lastHeartBeat object [r]
    lastHeartBeat.server dateTime [r]
    lastHeartBeat.local dateTime [r]
    lastCashSale object [r]
    lastCashSale.server dateTime [r]
    lastCashSale.local dateTime [r]
    lastCreditSale object [r]
    lastCreditSale.server dateTime [r]
    lastCreditSale.local dateTime [r]
    lastAccountSale object [r]
    lastAccountSale.server dateTime [r]
    lastAccountSale.local dateTime [r]`,
  customData: `
    id integer [r]
    machineId integer >=1 [r c!]
    key text <=50 [r c!]
    value text? <=500 [r c]`,
  alert: `
    id integer [r u!]
    organizationId integer [r c]
    accountId integer? [r c]
    siteId integer? [r c]
    machineId integer >=1 [r c!]
    machineLocation text? [r c]
    machineProse text? [r c]
    alertCodeId integer? [r c]
    code text [r c!]
    message text [r c! u]
    isCleared boolean [r c u]
    raisedAt dateTime [r c]
    clearedAt dateTime? [r c u]
    raisedAtServerTime dateTime [r]
    clearedAtServerTime dateTime? [r]
    alertMetadata object? [r c]
    alertMetadata.key text [r c]
    alertMetadata.value text [r c]`,
  alertCode: `
    id integer [r]
    code text [r]
    description text [r]
    onlyOneExists boolean [r]
    uiClearOnly boolean [r]`,
  transaction: `
    id text [r]
    recordedAtUtc dateTime [r]
    siteId integer [r]
    siteExternalId text? [r]
    siteName text [r]
    machineId integer [r]
    machineExternalId text? [r]
    machineName text [r]
    machineModel text [r]
    totalPrice decimal [r]
    totalTax decimal [r]
    lineItems list [r]
    lineItems.id integer [r]
    lineItems.selection text [r]
    lineItems.vendOrder integer [r]
    lineItems.productId integer [r]
    lineItems.productName text [r]
    lineItems.productUpc text? [r]
    lineItems.size text? [r]
    lineItems.taxRate decimal [r]
    lineItems.taxCharged decimal [r]
    lineItems.commission decimal [r]
    lineItems.quantity integer [r]
    lineItems.unitPrice decimal [r]
    lineItems.totalPrice decimal [r]
    lineItems.vendWasSuccessful boolean [r]
    lineItems.recordedAtUtc dateTime [r]
    lineItems.occurredAtUtc dateTime [r]
    lineItems.occurredAtLocalTime dateTime [r]
    paymentInformation object? [r]
    paymentInformation.type text [r]
    paymentInformation.creditInformation object? [r]
    paymentInformation.creditInformation.gateway text [r]
    paymentInformation.creditInformation.invoiceNumber integer [r]
    paymentInformation.creditInformation.cardToken text? [r]
    paymentInformation.creditInformation.authorizationNumber text? [r]
    paymentInformation.creditInformation.referenceNumber1 text? [r]
    paymentInformation.creditInformation.referenceNumber2 text? [r]
    paymentInformation.creditInformation.paymentStatus text [r]
    paymentInformation.accountInformation object? [r]
    paymentInformation.accountInformation.accountNumber text [r]
    paymentInformation.accountInformation.nameOnAccount text [r]`,
  login: `
    username text [c!]
    password text [c!]`,
  token: `
    accessToken text [r]
    userName text [r]
    issued text [r]
    expires text [r]`,
}

const tables: Record<string, Fields> = {...fields, ...sessionFields}

test('the resources are those of the contract', () => {
  expect(Object.keys(tables)).toEqual(Object.keys(records))
})

test.each(Object.keys(records))('every field of a record: %s', (resource) => {
  const expected = records[resource]?.trim().split(/\s*\n\s*/)

  expect(describeAll(tables[resource] ?? {})).toEqual(expected)
})

function describeAll(all: Fields, before = ''): string[] {
  return Object.entries(all).flatMap(([name, field]) => {
    const path = before + name
    return [describe(path, field), ...describeAll(field.fields ?? {}, `${path}.`)]
  })
}

function describe(path: string, {kind, nullable, min, maxLength, of, uses, required}: Field): string {
  const bounds = [
    min === undefined ? '' : ` >=${min}`,
    maxLength ? ` <=${maxLength}` : '',
    of ? ` of ${of.join(' ')}` : '',
  ]
  const letters = uses.map((use) => `${use.charAt(0)}${required?.includes(use) ? '!' : ''}`)
  return `${path} ${kind}${nullable ? '?' : ''}${bounds.join('')} [${letters.join(' ')}]`
}
