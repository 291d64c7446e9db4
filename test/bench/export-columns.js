// The columns of the report as everybody writes them here: those of the batch, then those of the line.
export const batchNames = [
  'id',
  'recordedAtUtc',
  'siteId',
  'siteExternalId',
  'siteName',
  'machineId',
  'machineExternalId',
  'machineName',
  'machineModel',
  'totalPrice',
  'totalTax',
]
export const creditNames = [
  'gateway',
  'invoiceNumber',
  'cardToken',
  'authorizationNumber',
  'referenceNumber1',
  'referenceNumber2',
  'paymentStatus',
]
export const accountNames = ['accountNumber', 'nameOnAccount']
export const lineNames = [
  'id',
  'selection',
  'vendOrder',
  'productId',
  'productName',
  'productUpc',
  'size',
  'taxRate',
  'taxCharged',
  'commission',
  'quantity',
  'unitPrice',
  'totalPrice',
  'vendWasSuccessful',
  'recordedAtUtc',
  'occurredAtUtc',
  'occurredAtLocalTime',
]

const payment = 'paymentInformation'
export const header = [
  ...batchNames,
  `${payment}.type`,
  ...creditNames.map((name) => `${payment}.creditInformation.${name}`),
  ...accountNames.map((name) => `${payment}.accountInformation.${name}`),
  ...lineNames.map((name) => `lineItem.${name}`),
]

export function batchValues(batch) {
  const {paymentInformation: paid} = batch
  return [
    ...batchNames.map((name) => batch[name]),
    paid?.type,
    ...creditNames.map((name) => paid?.creditInformation?.[name]),
    ...accountNames.map((name) => paid?.accountInformation?.[name]),
  ]
}

export function lineValues(line) {
  return lineNames.map((name) => line[name])
}
