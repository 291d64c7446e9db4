import type {Fields, Row} from '../base/grammar.js'
import {ofDates, ofReads} from '../base/refusals.js'
import {dateTime, integer, read, reading, text} from '../base/rows.js'

/** [pub] One change of stock, as the service recorded it. */
const inventoryAdjustment = {
  id: text(read, 'Identifies the adjustment, such as B1625.'),
  adjustmentOccurredAt: dateTime(read, 'When the stock changed, UTC.'),
  takeOccurredAt: dateTime(read, 'When the stock was taken, UTC.'),
  siteId: integer(read, 'Site of the machine.', {refersTo: 'site'}),
  siteExternalId: text(read, 'Id of the site in your own books.', {nullable: true}),
  machineId: text(read, 'Machine whose stock changed.'),
  machineExternalId: text(read, 'Id of the machine in your own books.', {nullable: true}),
  selection: text(read, 'Selection number whose stock changed.', {orNumber: true}),
  productId: text(read, 'Product whose stock changed.', {orNumber: true}),
  userId: integer(read, 'Who changed it; 0 for a sale.'), // 0 [dec]
  externalUserIdentifier: text(read, 'Id of that person in your own books.', {nullable: true}),
  adjustmentSize: integer(read, 'By how many.'),
  newStockLevel: integer(read, 'Stock after it.'),
} as const satisfies Fields

export const fields = {inventoryAdjustment} as const satisfies Record<string, Fields>

export const operations = {
  'reports.inventory': {
    ...reading,
    path: '/inventory',
    alsoAt: ['/reports/inventory-adjustments'], // [pub], both spellings
    resource: 'inventoryAdjustment',
    maximumPageSize: 100, // [pub]
    refuses: [...ofReads, ...ofDates],
    about: 'Read every change of stock.',
    next: {
      'reports verify FILE': 'check a finished export',
      'reports coverage --report inventory': 'which days are proven complete',
      'selections list': 'the stock as it is',
      quota: 'the requests that are left today',
    },
    range: {maximumDays: 31, on: 'adjustmentOccurredAt', clock: 'utc'}, // [pub]; compared in UTC [dec]
    report: {
      name: 'inventory report',
      record: ['adjustment', 'adjustments'],
      filePrefix: 'inventory',
      keptAs: 'inventory',
    },
    filters: {
      organizationIds: [],
      accountIds: [],
      siteIds: ['siteId'],
      machineIdentifiers: ['machineId'],
      StartDate: ['adjustmentOccurredAt'],
      EndDate: ['adjustmentOccurredAt'],
      transactionIdentifiers: [],
    },
  },
} as const satisfies Record<string, Row>
