import type {Fields, Route} from '../base/grammar.js'
import {ofDates, ofReads} from '../base/refusals.js'
import {read, whatIsWrong} from '../base/uses.js'

/** [pub] One sold thing of a transaction batch. */
const lineItem = {
  id: {kind: 'integer', uses: read, about: 'Identifies the line item.'},
  selection: {kind: 'text', uses: read, about: 'Selection of the machine.'},
  vendOrder: {kind: 'integer', uses: read, about: 'Place in the order of vends.'},
  productId: {kind: 'integer', uses: read, about: 'Product sold.'},
  productName: {kind: 'text', uses: read, about: 'Name of the product.'},
  productUpc: {kind: 'text', uses: read, nullable: true, about: 'Bar code of the product.'},
  size: {kind: 'text', uses: read, nullable: true, about: 'Size of the product.'},
  taxRate: {kind: 'decimal', uses: read, about: 'Tax rate.'},
  taxCharged: {kind: 'decimal', uses: read, about: 'Tax charged.'},
  commission: {kind: 'decimal', uses: read, about: 'Commission.'},
  quantity: {kind: 'integer', uses: read, about: 'How many.'},
  unitPrice: {kind: 'decimal', uses: read, about: 'Price of one.'},
  totalPrice: {kind: 'decimal', uses: read, about: 'Price of all.'},
  vendWasSuccessful: {kind: 'boolean', uses: read, about: 'Whether the product came out.'},
  recordedAtUtc: {kind: 'dateTime', uses: read, about: 'When the service recorded it, UTC.'},
  occurredAtUtc: {kind: 'dateTime', uses: read, about: 'When it happened, UTC.'},
  occurredAtLocalTime: {
    kind: 'dateTime',
    clock: 'local',
    uses: read,
    about: 'When it happened, in the local time of the machine.',
  },
} as const satisfies Fields

/** [pub] Their elements are not documented. */
const attachments = {
  tags: {kind: 'list', uses: read, fields: {}, about: 'Tags.'},
  files: {kind: 'list', uses: read, fields: {}, about: 'Linked files.'},
} as const satisfies Fields

/** [pub] One batch of the transaction report. */
const transaction = {
  id: {kind: 'text', uses: read, about: 'Identifies the batch, such as B1467.'},
  recordedAtUtc: {kind: 'dateTime', uses: read, about: 'When the service recorded the batch, UTC.'},
  siteId: {kind: 'integer', uses: read, refersTo: 'site', about: 'Site of the machine.'},
  siteExternalId: {kind: 'text', uses: read, nullable: true, about: 'Id of the site in your own books.'},
  siteName: {kind: 'text', uses: read, about: 'Name of the site.'},
  machineId: {kind: 'integer', uses: read, refersTo: 'machine', about: 'Machine that sold.'},
  machineExternalId: {kind: 'text', uses: read, nullable: true, about: 'Id of the machine in your own books.'},
  machineName: {kind: 'text', uses: read, about: 'Name of the machine.'},
  machineModel: {kind: 'text', uses: read, about: 'Model of the machine.'},
  totalPrice: {kind: 'decimal', uses: read, about: 'Price of all line items.'},
  totalTax: {kind: 'decimal', uses: read, about: 'Tax of all line items.'},
  lineItems: {kind: 'list', uses: read, fields: lineItem, about: 'What was sold.'},
  paymentInformation: {
    kind: 'object',
    uses: read,
    nullable: true,
    about: 'How it was paid.',
    fields: {
      type: {kind: 'text', uses: read, about: 'Kind of payment, padded with spaces, such as "A ".'},
      creditInformation: {
        kind: 'object',
        uses: read,
        nullable: true,
        about: 'Of a card payment.',
        fields: {
          gateway: {kind: 'text', uses: read, about: 'Card gateway.'},
          invoiceNumber: {kind: 'integer', uses: read, about: 'Invoice number.'},
          cardToken: {kind: 'text', uses: read, nullable: true, about: 'Token that stands for the card.'},
          authorizationNumber: {kind: 'text', uses: read, nullable: true, about: 'Authorization of the payment.'},
          referenceNumber1: {kind: 'text', uses: read, nullable: true, about: 'First reference of the gateway.'},
          referenceNumber2: {kind: 'text', uses: read, nullable: true, about: 'Second reference of the gateway.'},
          paymentStatus: {kind: 'text', uses: read, about: 'State of the payment.'},
        },
      },
      accountInformation: {
        kind: 'object',
        uses: read,
        nullable: true,
        about: 'Of an account payment.',
        fields: {
          accountNumber: {kind: 'text', uses: read, about: 'Number of the paying account.'},
          nameOnAccount: {kind: 'text', uses: read, about: 'Name on the paying account.'},
        },
      },
    },
  },
} as const satisfies Fields

/** [pub] What is linked to a transaction batch and its line items. */
const transactionMetadata = {
  transactionId: {kind: 'text', uses: read, about: 'Transaction batch it belongs to.'},
  recordedAtUtc: {kind: 'dateTime', uses: read, about: 'When the service recorded the batch, UTC.'},
  ...attachments,
  lineItems: {
    kind: 'list',
    uses: read,
    about: 'The same of each line item.',
    fields: {
      lineItemId: {kind: 'integer', uses: read, about: 'Line item it belongs to.'},
      recordedAtUtc: {kind: 'dateTime', uses: read, about: 'When the service recorded it, UTC.'},
      occurredAtUtc: {kind: 'dateTime', uses: read, about: 'When it happened, UTC.'},
      occurredAtLocal: {
        kind: 'dateTime',
        clock: 'local',
        uses: read,
        about: 'When it happened, in the local time of the machine.',
      },
      ...attachments,
    },
  },
} as const satisfies Fields

export const fields = {transaction, transactionMetadata} as const satisfies Record<string, Fields>

export const operations = {
  'reports.transactions': {
    kind: 'read',
    verb: 'GET',
    path: '/reports/transactions',
    alsoAt: ['/transactions'], // [seed], also [pub]
    since: 'v2',
    command: 'reports transactions',
    resource: 'transaction',
    maximumPageSize: 2_000,
    refuses: [...ofReads, ...ofDates],
    about: 'Read the transaction report.',
    next: [
      ['reports verify FILE', 'check a finished export'],
      ['reports summary FILE --by site', 'totals of it'],
      ['reports coverage', 'which days are proven complete'],
      ['quota', 'the requests that are left today'],
    ],
    range: {maximumDays: 31, on: 'recordedAtUtc'}, // [pub]; compared in the local time of the machine [dec]
    report: {name: 'transaction report', record: ['batch', 'batches'], filePrefix: 'tx'},
    filters: {
      organizationIds: {matches: []},
      accountIds: {matches: []},
      siteIds: {matches: ['siteId']},
      machineIdentifiers: {matches: ['machineId']},
      StartDate: {matches: ['recordedAtUtc']},
      EndDate: {matches: ['recordedAtUtc']},
      transactionIdentifiers: {matches: ['id']},
    },
  },
  'reports.metadata': {
    kind: 'read',
    verb: 'GET',
    path: '/transactions/metadata',
    since: 'v2',
    command: 'reports metadata', // [pub]
    resource: 'transactionMetadata',
    maximumPageSize: 100, // [pub]
    refuses: [...ofReads, ...ofDates],
    about: 'List tags and files that are linked to transactions.',
    next: [['reports transactions', 'the transactions themselves'], whatIsWrong],
    range: {maximumDays: 365, on: 'recordedAtUtc'}, // one year [pub]
    filters: {
      organizationIds: {matches: []},
      accountIds: {matches: []},
      siteIds: {matches: []},
      machineIdentifiers: {matches: []},
      StartDate: {matches: ['recordedAtUtc']},
      EndDate: {matches: ['recordedAtUtc']},
      transactionIdentifiers: {matches: ['transactionId']},
    },
  },
} as const satisfies Record<string, Route>
