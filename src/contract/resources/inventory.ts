import type {Fields, Route} from '../base/grammar.js'
import {ofDates, ofReads} from '../base/refusals.js'
import {read} from '../base/uses.js'

/** [pub] One change of stock, as the service recorded it. */
const inventoryAdjustment = {
  id: {kind: 'text', uses: read, about: 'Identifies the adjustment, such as B1625.'},
  adjustmentOccurredAt: {kind: 'dateTime', uses: read, about: 'When the stock changed, UTC.'},
  takeOccurredAt: {kind: 'dateTime', uses: read, about: 'When the stock was taken, UTC.'},
  siteId: {kind: 'integer', uses: read, refersTo: 'site', about: 'Site of the machine.'},
  siteExternalId: {kind: 'text', uses: read, nullable: true, about: 'Id of the site in your own books.'},
  machineId: {kind: 'text', uses: read, about: 'Machine whose stock changed.'},
  machineExternalId: {kind: 'text', uses: read, nullable: true, about: 'Id of the machine in your own books.'},
  selection: {kind: 'text', uses: read, orNumber: true, about: 'Selection number whose stock changed.'},
  productId: {kind: 'text', uses: read, orNumber: true, about: 'Product whose stock changed.'},
  userId: {kind: 'integer', uses: read, about: 'Who changed it; 0 for a sale.'}, // 0 [dec]
  externalUserIdentifier: {kind: 'text', uses: read, nullable: true, about: 'Id of that person in your own books.'},
  adjustmentSize: {kind: 'integer', uses: read, about: 'By how many.'},
  newStockLevel: {kind: 'integer', uses: read, about: 'Stock after it.'},
} as const satisfies Fields

export const fields = {inventoryAdjustment} as const satisfies Record<string, Fields>

export const operations = {
  'reports.inventory': {
    kind: 'read',
    verb: 'GET',
    path: '/inventory',
    alsoAt: ['/reports/inventory-adjustments'], // [pub], both spellings
    since: 'v2',
    command: 'reports inventory',
    resource: 'inventoryAdjustment',
    maximumPageSize: 100, // [pub]
    refuses: [...ofReads, ...ofDates],
    about: 'Read every change of stock.',
    next: [
      ['reports verify FILE', 'check a finished export'],
      ['reports coverage --report inventory', 'which days are proven complete'],
      ['selections list', 'the stock as it is'],
      ['quota', 'the requests that are left today'],
    ],
    range: {maximumDays: 31, on: 'adjustmentOccurredAt', clock: 'utc'}, // [pub]; compared in UTC [dec]
    report: {
      name: 'inventory report',
      record: ['adjustment', 'adjustments'],
      filePrefix: 'inventory',
      keptAs: 'inventory',
    },
    filters: {
      organizationIds: {matches: []},
      accountIds: {matches: []},
      siteIds: {matches: ['siteId']},
      machineIdentifiers: {matches: ['machineId']},
      StartDate: {matches: ['adjustmentOccurredAt']},
      EndDate: {matches: ['adjustmentOccurredAt']},
      transactionIdentifiers: {matches: []},
    },
  },
} as const satisfies Record<string, Route>
