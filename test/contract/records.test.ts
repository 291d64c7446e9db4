import {expect, test} from 'vitest'
import {type Field, type Fields, fields, sessionFields} from '../../src/contract/index.js'

/**
 * Written by hand from the contract, not from the tables: name, type, `?` for nullable, `#` where it also comes as a
 * number, bounds, and the uses in brackets: r read, c create, u update, d delete, with `!` where the field may not be
 * left out; then its other names.
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
    id integer [r u! d!]
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
    id integer [r u!]
    assetId integer [r u]
    organizationId integer [r]
    siteId integer >=1 [r u!]
    typeId integer [r u]
    machineMasterId integer [r]
    controllerFirmware object? [r u]
    controllerFirmware.current text? [r u]
    controllerFirmware.pendingUpdate text? [r u]
    pcFirmware object? [r u]
    pcFirmware.current text? [r u]
    pcFirmware.pendingUpdate text? [r u]
    forceUpdate boolean [r u]
    prose text <=15 [r]
    name text <=120 [r u]
    modelNumber text <=50 [r u]
    taxPercentage decimal [r u]
    commissionPercentage decimal [r u]
    hasPlanogramChange boolean [r]
    callInCode text <=12 [r]
    enableAccountSales boolean [r u]
    enableCashSales boolean [r u]
    enableCreditSales boolean [r u]
    mode text [r u]
    isVisible boolean [r u]
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
    lastAccountSale.local dateTime [r]
    latestRestockToPicklist object? [r u]
    latestRestockToPicklist.server dateTime [r u]
    latestRestockToPicklist.local dateTime [r u]
    creditProcessingFee decimal [r u]
    bluetoothId text? [r u]
    externalAccountsTerminalId text? [r u]
    canRollbackFirmware boolean [r u]
    ignoreDoorState boolean [r u]
    enableSlotCountTracking boolean [r u]
    useInternetPricing boolean [r u]
    hardwareSettingsChanged boolean [r u]
    usePlangramPrice boolean [r u]
    useMachineTaxRate boolean [r u]
    useMachineCommissionRate boolean [r u]
    offerSmsReceipts integer [r u]`,
  provisioning: `
    prose text <=15 [u!]
    organizationId integer >=1 [u!]`,
  machineSetting: `
    id integer [r u]
    machineId integer >=1 [r u!]
    type text [r u!]
    settings text [r u!]
    isActive boolean [r u]
    isCurrent boolean [r u]`,
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
  transactionMetadata: `
    transactionId text [r]
    recordedAtUtc dateTime [r]
    tags list [r]
    files list [r]
    lineItems list [r]
    lineItems.lineItemId integer [r]
    lineItems.recordedAtUtc dateTime [r]
    lineItems.occurredAtUtc dateTime [r]
    lineItems.occurredAtLocal dateTime [r]
    lineItems.tags list [r]
    lineItems.files list [r]`,
  inventoryAdjustment: `
    id text [r]
    adjustmentOccurredAt dateTime [r]
    takeOccurredAt dateTime [r]
    siteId integer [r]
    siteExternalId text? [r]
    machineId text [r]
    machineExternalId text? [r]
    selection text# [r]
    productId text# [r]
    userId integer [r]
    externalUserIdentifier text? [r]
    adjustmentSize integer [r]
    newStockLevel integer [r]`,
  product: `
    id integer [r]
    name text [r]`,
  selection: `
    id integer [r u! d!]
    machineId integer >=1 [r c! u!]
    selectionNumber text# [r c! u!]
    friendlyNumber text [r]
    productId integer? >=-1 not 0 [r c u]
    price decimal >0 [r c! u!]
    invoicePrice decimal >=0 [r c! u!]
    restockTo integer >=0 [r c! u!]
    depth integer >=0 [r c! u!]
    count integer >=0 [r c! u]
    isActive boolean [r]
    alertLevel integer? >=0 [r c u]
    restockAt integer? >=0 [r c u]
    freeCount integer >=0 [r c! u!]
    tax decimal? [r c u]
    commission decimal >=0 [r c! u!]`,
  stockChange: `
    selectionId integer >=1 [u!]
    delta integer not 0 [u!]`,
  template: `
    id integer [r]
    name text [r]`,
  templateSelection: `
    id integer [r]
    templateId integer [r]
    variantId integer? [r]
    selectionNumber text# [r]
    productId integer [r]
    price decimal [r]
    invoicePrice decimal [r]
    createdAt dateTime [r]
    par integer [r]
    depth integer [r]
    commission decimal [r]
    tax decimal? [r]
    customData1 text? <=50 [r]
    customData2 text? <=50 [r]
    customData3 text? <=50 [r]
    customData4 text? <=50 [r]
    customData5 text? <=50 [r]`,
  templateApplication: `
    machineId integer >=1 [u!]
    organizationId integer [u!]
    templateId integer >=1 [u!]`,
  session: `
    id integer [r]
    machineId integer? [r]
    organizationId integer [r]
    startedAtUtc dateTime [r]
    endedAtUtc dateTime? [r]
    login text <=500 [r] or loginId
    reason text? <=300 [r]
    loginWasSuccessful boolean [r] or loginWasSuccessfull
    wasAbandoned boolean? [r]
    source text <=50 [r]`,
  sessionEvent: `
    id integer [r]
    sessionId integer [r] or sessionIdId
    eventType text [r]
    startedAt dateTime? [r]
    loggedAt dateTime [r]
    data text? [r] or additionalData`,
  role: `
    id integer [r]
    organizationId integer [r]
    name text [r]
    description text [r]`,
  machineRight: `
    machineId integer [r]
    rightId integer [r]`,
  roleRight: `
    id integer [r u!]
    roleId integer >=1 [r c! u!]
    rightId integer >=1 [r c! u!]
    canView boolean [r c! u!]
    canEdit boolean [r c! u!]
    canExecute boolean [r c! u!]`,
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

function describe(path: string, field: Field): string {
  const {kind, nullable, orNumber, min, above, except, maxLength, of, uses, required, alsoNamed} = field
  const bounds = [
    min === undefined ? '' : ` >=${min}`,
    above === undefined ? '' : ` >${above}`,
    except ? ` not ${except.join(' ')}` : '',
    maxLength ? ` <=${maxLength}` : '',
    of ? ` of ${of.join(' ')}` : '',
  ]
  const letters = uses.map((use) => `${use.charAt(0)}${required?.includes(use) ? '!' : ''}`)
  const others = alsoNamed ? ` or ${alsoNamed.join(' ')}` : ''
  return `${path} ${kind}${orNumber ? '#' : ''}${nullable ? '?' : ''}${bounds.join('')} [${letters.join(' ')}]${others}`
}
