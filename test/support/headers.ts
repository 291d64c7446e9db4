import type {ReadId} from '../../src/contract/index.js'

/** The header of every read as a table, in the words and the order of the specification. */
const headers: Record<ReadId, string> = {
  'organizations.list': 'id name timeZone isEnabled',
  'accounts.list': 'id organizationId name externalId isEnabled',
  'sites.list': `
    id accountId orgId name contact.firstName contact.lastName contact.telephoneNumber contact.emailAddress
    commissionPercentage isActive timeZone isEnabled maxChargePrice billingAddress shippingAddress
    maximumMeterSalesJumpAllowed commissionTerms externalAccountTerminalId chargeKeyId`,
  'machines.list': `
    id assetId organizationId siteId typeId machineMasterId controllerFirmware.current
    controllerFirmware.pendingUpdate pcFirmware.current pcFirmware.pendingUpdate forceUpdate prose name modelNumber
    taxPercentage commissionPercentage hasPlanogramChange callInCode enableAccountSales enableCashSales
    enableCreditSales mode isVisible createdAt provisionedAt lastHeartBeat.server lastHeartBeat.local
    lastCashSale.server lastCashSale.local lastCreditSale.server lastCreditSale.local lastAccountSale.server
    lastAccountSale.local latestRestockToPicklist.server latestRestockToPicklist.local creditProcessingFee
    bluetoothId externalAccountsTerminalId canRollbackFirmware ignoreDoorState enableSlotCountTracking
    useInternetPricing hardwareSettingsChanged usePlangramPrice useMachineTaxRate useMachineCommissionRate
    offerSmsReceipts`,
  'alerts.list': `
    id organizationId accountId siteId machineId machineLocation machineProse alertCodeId code message isCleared
    raisedAt clearedAt raisedAtServerTime clearedAtServerTime alertMetadata.key alertMetadata.value`,
  'alerts.codes': 'id code description onlyOneExists uiClearOnly',
  'reports.transactions': `
    id recordedAtUtc siteId siteExternalId siteName machineId machineExternalId machineName machineModel totalPrice
    totalTax paymentInformation.type paymentInformation.creditInformation.gateway
    paymentInformation.creditInformation.invoiceNumber paymentInformation.creditInformation.cardToken
    paymentInformation.creditInformation.authorizationNumber paymentInformation.creditInformation.referenceNumber1
    paymentInformation.creditInformation.referenceNumber2 paymentInformation.creditInformation.paymentStatus
    paymentInformation.accountInformation.accountNumber paymentInformation.accountInformation.nameOnAccount
    lineItem.id lineItem.selection lineItem.vendOrder lineItem.productId lineItem.productName lineItem.productUpc
    lineItem.size lineItem.taxRate lineItem.taxCharged lineItem.commission lineItem.quantity lineItem.unitPrice
    lineItem.totalPrice lineItem.vendWasSuccessful lineItem.recordedAtUtc lineItem.occurredAtUtc
    lineItem.occurredAtLocalTime`,
  'selections.list': `
    id machineId selectionNumber friendlyNumber productId price invoicePrice restockTo depth count isActive
    alertLevel restockAt freeCount tax commission`,
  'templates.list': 'id name',
  'templates.selections': `
    id templateId variantId selectionNumber productId price invoicePrice createdAt par depth commission tax
    customData1 customData2 customData3 customData4 customData5`,
  'reports.inventory': `
    id adjustmentOccurredAt takeOccurredAt siteId siteExternalId machineId machineExternalId selection productId
    userId externalUserIdentifier adjustmentSize newStockLevel`,
  'reports.metadata': 'transactionId recordedAtUtc tags files lineItems',
  'machines.settings.list': 'id machineId type settings isActive isCurrent',
  'products.list': 'id name',
  'sessions.list': `
    id machineId organizationId startedAtUtc endedAtUtc login reason loginWasSuccessful wasAbandoned source`,
  'sessions.events': 'id sessionId eventType startedAt loggedAt data',
  'roles.list': 'id organizationId name description',
  'roles.rights': 'machineId rightId',
  'role-rights.list': 'id roleId rightId canView canEdit canExecute',
}

export const headerOf = (id: ReadId): string[] => headers[id].trim().split(/\s+/)
