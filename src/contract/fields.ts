import type {Fields} from './grammar.js'
import {publishedFields} from './published-fields.js'

const read = ['read'] as const
const sent = ['create', 'update'] as const
const everywhere = ['read', 'create', 'update'] as const

/** [dec] The specification shows no fields of an organization. */
const organization = {
  id: {kind: 'integer', uses: read, about: 'Identifies the organization.'},
  name: {kind: 'text', uses: read, maxLength: 100, about: 'Name of the organization.'},
  timeZone: {kind: 'text', uses: read, nullable: true, about: 'Default time zone, as a Windows or IANA name.'},
  isEnabled: {kind: 'boolean', uses: read, about: 'Whether the organization is in use.'},
} as const satisfies Fields

/** [dec] The specification shows no fields of an account. */
const account = {
  id: {kind: 'integer', uses: read, about: 'Identifies the account.'},
  organizationId: {
    kind: 'integer',
    uses: read,
    refersTo: 'organization',
    about: 'Organization the account belongs to.',
  },
  name: {kind: 'text', uses: read, maxLength: 100, about: 'Name of the account.'},
  externalId: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'Id of the account in your own books.'},
  isEnabled: {kind: 'boolean', uses: read, about: 'Whether the account is in use.'},
} as const satisfies Fields

/** [pub] A site as it is read and written. */
const site = {
  id: {
    kind: 'integer',
    uses: ['read', 'update', 'delete'],
    required: ['update', 'delete'],
    about: 'Identifies the site.',
  },
  accountId: {
    kind: 'integer',
    uses: everywhere,
    refersTo: 'account',
    required: sent,
    min: 1,
    about: 'Account the site belongs to.',
  },
  orgId: {
    kind: 'integer',
    uses: everywhere,
    refersTo: 'organization',
    required: sent,
    min: 1,
    about: 'Organization the site belongs to.',
  },
  name: {
    kind: 'text',
    uses: everywhere,
    required: sent,
    maxLength: 100,
    example: 'Example Site',
    about: 'Name, unique in its account.',
  },
  contact: {
    kind: 'object',
    uses: everywhere,
    nullable: true,
    about: 'Whom to call about the site.',
    fields: {
      firstName: {kind: 'text', uses: everywhere, nullable: true, example: 'Ada', about: 'First name of the contact.'},
      lastName: {kind: 'text', uses: everywhere, nullable: true, example: 'Miller', about: 'Last name of the contact.'},
      telephoneNumber: {
        kind: 'text',
        uses: everywhere,
        nullable: true,
        example: '555-0100',
        about: 'Telephone number of the contact.',
      },
      emailAddress: {
        kind: 'text',
        uses: everywhere,
        nullable: true,
        example: 'ada@example.com',
        about: 'E-mail address of the contact.',
      },
    },
  },
  commissionPercentage: {
    kind: 'integer',
    uses: everywhere,
    nullable: true,
    min: 0,
    example: 5,
    about: 'Commission in percent.',
  },
  isActive: {kind: 'boolean', uses: everywhere, required: sent, about: 'Whether the site is active.'},
  timeZone: {
    kind: 'text',
    uses: everywhere,
    nullable: true,
    maxLength: 50,
    zone: true,
    example: 'Pacific Standard Time',
    about: 'Time zone, as a Windows name such as Pacific Standard Time, or an IANA name.',
  },
  isEnabled: {kind: 'boolean', uses: read, about: 'Whether the site is in use; set by the service.'},
  maxChargePrice: {
    kind: 'integer',
    uses: everywhere,
    required: sent,
    min: 0,
    example: 500,
    about: 'Highest price of one charge.',
  },
  billingAddress: {
    kind: 'text',
    uses: everywhere,
    nullable: true,
    maxLength: 300,
    example: '1 Example Street, Portsmouth',
    about: 'Billing address.',
  },
  shippingAddress: {kind: 'text', uses: everywhere, nullable: true, maxLength: 300, about: 'Shipping address.'},
  maximumMeterSalesJumpAllowed: {
    kind: 'integer',
    uses: everywhere,
    required: sent,
    min: 0,
    example: 1000,
    about: 'Largest jump of the sales meter that is believed.',
  },
  commissionTerms: {
    kind: 'choice',
    uses: everywhere,
    required: sent,
    of: ['PrePaid', 'Net10', 'Net15', 'Net30', 'Net45', 'Net60'],
    about: 'When commission is due.',
  },
  externalAccountTerminalId: {
    kind: 'text',
    uses: everywhere,
    nullable: true,
    maxLength: 50,
    about: 'Terminal id in an external account.',
  },
  chargeKeyId: {
    kind: 'integer',
    uses: everywhere,
    nullable: true,
    min: 1,
    about: 'Charge key of the organization; a global one is refused.',
  },
} as const satisfies Fields

const kept = ['read', 'update'] as const

const firmware = {
  current: {kind: 'text', uses: kept, nullable: true, about: 'Version that runs.'},
  pendingUpdate: {kind: 'text', uses: kept, nullable: true, about: 'Version that waits to be installed.'},
} as const satisfies Fields

const moment = {
  server: {kind: 'dateTime', uses: read, about: 'In server time.'},
  local: {kind: 'dateTime', clock: 'local', uses: read, about: 'In the local time of the machine.'},
} as const satisfies Fields

/** [pub] A machine. What is sent and read only is ignored by the service. */
const machine = {
  id: {kind: 'integer', uses: kept, required: ['update'], about: 'Identifies the machine.'},
  assetId: {kind: 'integer', uses: kept, about: 'Asset the machine is booked as.'},
  organizationId: {
    kind: 'integer',
    uses: read,
    refersTo: 'organization',
    about: 'Organization the machine belongs to.',
  },
  siteId: {
    kind: 'integer',
    uses: kept,
    required: ['update'],
    refersTo: 'site',
    min: 1,
    about: 'Site the machine stands at; another one moves it.',
  },
  typeId: {kind: 'integer', uses: kept, about: 'Type of machine.'},
  machineMasterId: {kind: 'integer', uses: read, about: 'Model template of the machine.'},
  controllerFirmware: {
    kind: 'object',
    uses: kept,
    nullable: true,
    fields: firmware,
    about: 'Firmware of the controller.',
  },
  pcFirmware: {kind: 'object', uses: kept, nullable: true, fields: firmware, about: 'Firmware of the PC.'},
  forceUpdate: {kind: 'boolean', uses: kept, about: 'Whether an update is forced.'},
  prose: {kind: 'text', uses: read, maxLength: 15, about: 'PROSE serial of the machine.'},
  name: {kind: 'text', uses: kept, maxLength: 120, about: 'Name of the machine.'},
  modelNumber: {kind: 'text', uses: kept, maxLength: 50, about: 'Model number.'},
  taxPercentage: {kind: 'decimal', uses: kept, about: 'Tax in percent.'},
  commissionPercentage: {kind: 'decimal', uses: kept, about: 'Commission in percent.'},
  hasPlanogramChange: {kind: 'boolean', uses: read, about: 'Whether a planogram change waits.'},
  callInCode: {kind: 'text', uses: read, maxLength: 12, about: 'Code the machine calls in with.'},
  enableAccountSales: {kind: 'boolean', uses: kept, about: 'Whether account sales are on.'},
  enableCashSales: {kind: 'boolean', uses: kept, about: 'Whether cash sales are on.'},
  enableCreditSales: {kind: 'boolean', uses: kept, about: 'Whether credit sales are on.'},
  mode: {kind: 'text', uses: kept, about: 'Mode the machine runs in.'},
  isVisible: {kind: 'boolean', uses: kept, about: 'Whether the machine is shown.'},
  createdAt: {kind: 'dateTime', uses: read, about: 'When the machine was created.'},
  provisionedAt: {kind: 'dateTime', uses: read, about: 'When the machine was provisioned.'},
  lastHeartBeat: {kind: 'object', uses: read, fields: moment, about: 'Last sign of life.'},
  lastCashSale: {kind: 'object', uses: read, fields: moment, about: 'Last cash sale.'},
  lastCreditSale: {kind: 'object', uses: read, fields: moment, about: 'Last credit sale.'},
  lastAccountSale: {kind: 'object', uses: read, fields: moment, about: 'Last account sale.'},
  latestRestockToPicklist: {
    kind: 'object',
    uses: kept,
    nullable: true,
    fields: {
      server: {kind: 'dateTime', uses: kept, about: 'In server time.'},
      local: {kind: 'dateTime', clock: 'local', uses: kept, about: 'In the local time of the machine.'},
    },
    about: 'Latest restock to picklist.',
  },
  creditProcessingFee: {kind: 'decimal', uses: kept, about: 'Fee for a card payment.'},
  bluetoothId: {kind: 'text', uses: kept, nullable: true, about: 'Bluetooth id of the machine.'},
  externalAccountsTerminalId: {
    kind: 'text',
    uses: kept,
    nullable: true,
    about: 'Terminal id in an external accounts system.',
  },
  canRollbackFirmware: {kind: 'boolean', uses: kept, about: 'Whether firmware may be rolled back.'},
  ignoreDoorState: {kind: 'boolean', uses: kept, about: 'Whether the state of the door is ignored.'},
  enableSlotCountTracking: {kind: 'boolean', uses: kept, about: 'Whether the count of each slot is tracked.'},
  useInternetPricing: {kind: 'boolean', uses: kept, about: 'Whether prices come from the service.'},
  hardwareSettingsChanged: {kind: 'boolean', uses: kept, about: 'Whether hardware settings changed.'},
  usePlangramPrice: {kind: 'boolean', uses: kept, about: 'Whether prices come from the planogram.'}, // spelled so [pub]
  useMachineTaxRate: {kind: 'boolean', uses: kept, about: 'Whether the tax rate of the machine holds.'},
  useMachineCommissionRate: {kind: 'boolean', uses: kept, about: 'Whether the commission rate of the machine holds.'},
  offerSmsReceipts: {kind: 'integer', uses: kept, about: 'Whether and how receipts are offered by text message.'},
} as const satisfies Fields

/** [dec] One record per machine and key. */
const customData = {
  id: {kind: 'integer', uses: read, about: 'Identifies the record.'},
  machineId: {
    kind: 'integer',
    uses: ['read', 'create'],
    refersTo: 'machine',
    required: ['create'],
    min: 1,
    about: 'Machine it belongs to.',
  },
  key: {
    kind: 'text',
    uses: ['read', 'create'],
    required: ['create'],
    maxLength: 50,
    example: 'assetTag',
    about: 'Name, unique per machine.',
  },
  value: {
    kind: 'text',
    uses: ['read', 'create'],
    nullable: true,
    maxLength: 500,
    example: 'A-0042',
    about: 'What is kept under the key.',
  },
} as const satisfies Fields

const readAndCreate = ['read', 'create'] as const

/** [pub] and [seed]: times sent are UTC; the service keeps server time and the local time of the machine. */
const alert = {
  id: {kind: 'integer', uses: ['read', 'update'], required: ['update'], about: 'Identifies the alert.'},
  organizationId: {
    kind: 'integer',
    uses: readAndCreate,
    refersTo: 'organization',
    about: 'Organization; filled from the machine.',
  },
  accountId: {
    kind: 'integer',
    uses: readAndCreate,
    refersTo: 'account',
    nullable: true,
    about: 'Account; filled from the machine.',
  },
  siteId: {
    kind: 'integer',
    uses: readAndCreate,
    refersTo: 'site',
    nullable: true,
    about: 'Site; filled from the machine.',
  },
  machineId: {
    kind: 'integer',
    uses: readAndCreate,
    refersTo: 'machine',
    required: ['create'],
    min: 1,
    about: 'Machine the alert is about.',
  },
  machineLocation: {kind: 'text', uses: readAndCreate, nullable: true, about: 'Where the machine stands.'},
  machineProse: {kind: 'text', uses: readAndCreate, nullable: true, about: 'PROSE serial of the machine.'},
  alertCodeId: {
    kind: 'integer',
    uses: readAndCreate,
    refersTo: 'alertCode',
    nullable: true,
    about: 'Id of the alert code.',
  },
  code: {
    kind: 'text',
    uses: readAndCreate,
    required: ['create'],
    example: 'NS',
    about: 'Alert code, such as NS for no sales.',
  },
  message: {
    kind: 'text',
    uses: everywhere,
    required: ['create'],
    example: 'No sales for two days',
    about: 'What is wrong.',
  },
  isCleared: {kind: 'boolean', uses: everywhere, about: 'Whether the alert is cleared; it is never uncleared.'},
  raisedAt: {
    kind: 'dateTime',
    clock: 'local',
    uses: readAndCreate,
    about: 'When it was raised; sent as UTC, kept as machine time.',
  },
  clearedAt: {
    kind: 'dateTime',
    clock: 'local',
    uses: everywhere,
    nullable: true,
    about: 'When it was cleared; sent as UTC, kept as machine time.',
  },
  raisedAtServerTime: {kind: 'dateTime', uses: read, about: 'When it was raised, in server time.'}, // name [dec]
  clearedAtServerTime: {
    kind: 'dateTime',
    uses: read,
    nullable: true,
    about: 'When it was cleared, in server time.', // name [dec]
  },
  alertMetadata: {
    kind: 'object',
    uses: readAndCreate,
    nullable: true,
    about: 'One further fact about the alert.',
    fields: {
      key: {kind: 'text', uses: readAndCreate, about: 'Name of the fact.'},
      value: {kind: 'text', uses: readAndCreate, about: 'The fact.'},
    },
  },
} as const satisfies Fields

/** [seed] names the flag OnlyOneExists; the rest is [dec]. */
const alertCode = {
  id: {kind: 'integer', uses: read, about: 'Identifies the alert code.'},
  code: {kind: 'text', uses: read, about: 'The code, as alerts carry it.'},
  description: {kind: 'text', uses: read, about: 'What the code means.'},
  onlyOneExists: {kind: 'boolean', uses: read, about: 'Only one open alert of this code may exist on a machine.'},
  uiClearOnly: {kind: 'boolean', uses: read, about: 'People clear it in the user interface; the API may clear it too.'},
} as const satisfies Fields

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

/** The fields of every resource, in the order of columns. */
export const fields = {
  organization,
  account,
  site,
  machine,
  customData,
  alert,
  alertCode,
  transaction,
  ...publishedFields,
} as const satisfies Record<string, Fields>

/** Fields that together name a record, where it has no id. */
export const recordKeys = {
  transactionMetadata: ['transactionId'],
  machineRight: ['machineId', 'rightId'],
} as const satisfies Partial<Record<keyof typeof fields, readonly string[]>>

export type Resource = keyof typeof fields
