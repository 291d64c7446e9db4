import type {Fields, Row} from '../base/grammar.js'
import {ofDates, ofReads} from '../base/refusals.js'
import {boolean, dateTime, decimal, integer, list, object, read, reading, text, whatIsWrong} from '../base/rows.js'

/** [pub] One sold thing of a transaction batch. */
const lineItem = {
  id: integer(read, 'Identifies the line item.'),
  selection: text(read, 'Selection of the machine.'),
  vendOrder: integer(read, 'Place in the order of vends.'),
  productId: integer(read, 'Product sold.'),
  productName: text(read, 'Name of the product.'),
  productUpc: text(read, 'Bar code of the product.', {nullable: true}),
  size: text(read, 'Size of the product.', {nullable: true}),
  taxRate: decimal(read, 'Tax rate.'),
  taxCharged: decimal(read, 'Tax charged.'),
  commission: decimal(read, 'Commission.'),
  quantity: integer(read, 'How many.'),
  unitPrice: decimal(read, 'Price of one.'),
  totalPrice: decimal(read, 'Price of all.'),
  vendWasSuccessful: boolean(read, 'Whether the product came out.'),
  recordedAtUtc: dateTime(read, 'When the service recorded it, UTC.'),
  occurredAtUtc: dateTime(read, 'When it happened, UTC.'),
  occurredAtLocalTime: dateTime(read, 'When it happened, in the local time of the machine.', {clock: 'local'}),
} as const satisfies Fields

/** [pub] Their elements are not documented. */
const attachments = {
  tags: list(read, 'Tags.', {fields: {}}),
  files: list(read, 'Linked files.', {fields: {}}),
} as const satisfies Fields

/** [pub] One batch of the transaction report. */
const transaction = {
  id: text(read, 'Identifies the batch, such as B1467.'),
  recordedAtUtc: dateTime(read, 'When the service recorded the batch, UTC.'),
  siteId: integer(read, 'Site of the machine.', {refersTo: 'site'}),
  siteExternalId: text(read, 'Id of the site in your own books.', {nullable: true}),
  siteName: text(read, 'Name of the site.'),
  machineId: integer(read, 'Machine that sold.', {refersTo: 'machine'}),
  machineExternalId: text(read, 'Id of the machine in your own books.', {nullable: true}),
  machineName: text(read, 'Name of the machine.'),
  machineModel: text(read, 'Model of the machine.'),
  totalPrice: decimal(read, 'Price of all line items.'),
  totalTax: decimal(read, 'Tax of all line items.'),
  lineItems: list(read, 'What was sold.', {fields: lineItem}),
  paymentInformation: object(read, 'How it was paid.', {
    nullable: true,
    fields: {
      type: text(read, 'Kind of payment, padded with spaces, such as "A ".'),
      creditInformation: object(read, 'Of a card payment.', {
        nullable: true,
        fields: {
          gateway: text(read, 'Card gateway.'),
          invoiceNumber: integer(read, 'Invoice number.'),
          cardToken: text(read, 'Token that stands for the card.', {nullable: true}),
          authorizationNumber: text(read, 'Authorization of the payment.', {nullable: true}),
          referenceNumber1: text(read, 'First reference of the gateway.', {nullable: true}),
          referenceNumber2: text(read, 'Second reference of the gateway.', {nullable: true}),
          paymentStatus: text(read, 'State of the payment.'),
        },
      }),
      accountInformation: object(read, 'Of an account payment.', {
        nullable: true,
        fields: {
          accountNumber: text(read, 'Number of the paying account.'),
          nameOnAccount: text(read, 'Name on the paying account.'),
        },
      }),
    },
  }),
} as const satisfies Fields

/** [pub] What is linked to a transaction batch and its line items. */
const transactionMetadata = {
  transactionId: text(read, 'Transaction batch it belongs to.'),
  recordedAtUtc: dateTime(read, 'When the service recorded the batch, UTC.'),
  ...attachments,
  lineItems: list(read, 'The same of each line item.', {
    fields: {
      lineItemId: integer(read, 'Line item it belongs to.'),
      recordedAtUtc: dateTime(read, 'When the service recorded it, UTC.'),
      occurredAtUtc: dateTime(read, 'When it happened, UTC.'),
      occurredAtLocal: dateTime(read, 'When it happened, in the local time of the machine.', {clock: 'local'}),
      ...attachments,
    },
  }),
} as const satisfies Fields

export const fields = {transaction, transactionMetadata} as const satisfies Record<string, Fields>

export const operations = {
  'reports.transactions': {
    ...reading,
    path: '/reports/transactions',
    alsoAt: ['/transactions'], // [seed], also [pub]
    resource: 'transaction',
    refuses: [...ofReads, ...ofDates],
    about: 'Read the transaction report.',
    next: {
      'reports verify FILE': 'check a finished export',
      'reports summary FILE --by site': 'totals of it',
      'reports coverage': 'which days are proven complete',
      quota: 'the requests that are left today',
    },
    range: {maximumDays: 31, on: 'recordedAtUtc'}, // [pub]; compared in the local time of the machine [dec]
    report: {name: 'transaction report', record: ['batch', 'batches'], filePrefix: 'tx'},
    filters: {
      organizationIds: [],
      accountIds: [],
      siteIds: ['siteId'],
      machineIdentifiers: ['machineId'],
      StartDate: ['recordedAtUtc'],
      EndDate: ['recordedAtUtc'],
      transactionIdentifiers: ['id'],
    },
  },
  'reports.metadata': {
    ...reading,
    path: '/transactions/metadata', // [pub]
    resource: 'transactionMetadata',
    maximumPageSize: 100, // [pub]
    refuses: [...ofReads, ...ofDates],
    about: 'List tags and files that are linked to transactions.',
    next: {'reports transactions': 'the transactions themselves', ...whatIsWrong},
    range: {maximumDays: 365, on: 'recordedAtUtc'}, // one year [pub]
    filters: {
      organizationIds: [],
      accountIds: [],
      siteIds: [],
      machineIdentifiers: [],
      StartDate: ['recordedAtUtc'],
      EndDate: ['recordedAtUtc'],
      transactionIdentifiers: ['transactionId'],
    },
  },
} as const satisfies Record<string, Row>
