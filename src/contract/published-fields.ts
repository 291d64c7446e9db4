import type {Fields} from './grammar.js'

const read = ['read'] as const
const sent = ['create', 'update'] as const
const everywhere = ['read', 'create', 'update'] as const
const kept = ['read', 'update'] as const

/** [pub] What a machine sells at one place: product, price and stock. */
const selection = {
  id: {
    kind: 'integer',
    uses: ['read', 'update', 'delete'],
    required: ['update', 'delete'],
    about: 'Identifies the selection.',
  },
  machineId: {
    kind: 'integer',
    uses: everywhere,
    refersTo: 'machine',
    required: sent,
    min: 1,
    about: 'Machine it belongs to.',
  },
  selectionNumber: {
    kind: 'text',
    uses: everywhere,
    required: sent,
    orNumber: true,
    example: 'A1',
    about: 'What a customer enters; unique in its machine.',
  },
  friendlyNumber: {kind: 'text', uses: read, about: 'The number as people write it.'},
  productId: {
    kind: 'integer',
    uses: everywhere,
    refersTo: 'product',
    nullable: true,
    min: -1,
    except: [0],
    example: 801,
    about: 'Product that is sold; -1 for none.',
  },
  price: {kind: 'decimal', uses: everywhere, required: sent, above: 0, example: 1.5, about: 'Price of one.'},
  invoicePrice: {kind: 'decimal', uses: everywhere, required: sent, min: 0, example: 0.75, about: 'Price on invoices.'},
  restockTo: {kind: 'integer', uses: everywhere, required: sent, min: 0, example: 10, about: 'Stock after a restock.'},
  depth: {kind: 'integer', uses: everywhere, required: sent, min: 0, example: 12, about: 'How many fit in.'},
  count: {
    kind: 'integer',
    uses: everywhere,
    required: ['create'], // of an update, what was just read is sent where the file has none
    min: 0,
    example: 8,
    about: 'Stock; another count is written as an inventory adjustment.',
  },
  isActive: {kind: 'boolean', uses: read, about: 'Whether the selection is in use; set by the service.'},
  alertLevel: {
    kind: 'integer',
    uses: everywhere,
    nullable: true,
    min: 0,
    example: 2,
    about: 'Stock at which an alert is raised.',
  },
  restockAt: {
    kind: 'integer',
    uses: everywhere,
    nullable: true,
    min: 0,
    example: 4,
    about: 'Stock at which a restock is due.',
  },
  freeCount: {kind: 'integer', uses: everywhere, required: sent, min: 0, example: 0, about: 'How many are free.'},
  tax: {kind: 'decimal', uses: everywhere, nullable: true, example: 7.5, about: 'Tax in percent.'},
  commission: {kind: 'decimal', uses: everywhere, required: sent, min: 0, example: 0.5, about: 'Commission.'},
} as const satisfies Fields

/** [pub] A change of stock by a difference. */
const stockChange = {
  selectionId: {
    kind: 'integer',
    uses: ['update'],
    refersTo: 'selection',
    required: ['update'],
    min: 1,
    about: 'Selection whose stock changes.',
  },
  delta: {
    kind: 'integer',
    uses: ['update'],
    required: ['update'],
    except: [0],
    example: 5,
    about: 'By how many; negative takes out.',
  },
} as const satisfies Fields

/** [dec] An open record: the documentation shows no fields. */
const template = {
  id: {kind: 'integer', uses: read, about: 'Identifies the template.'},
  name: {kind: 'text', uses: read, about: 'Name of the template.'},
} as const satisfies Fields

/** [pub] One selection as a template sets it. */
const templateSelection = {
  id: {kind: 'integer', uses: read, about: 'Identifies the selection of the template.'},
  templateId: {kind: 'integer', uses: read, refersTo: 'template', about: 'Template it belongs to.'},
  variantId: {kind: 'integer', uses: read, nullable: true, about: 'Variant of the template.'},
  selectionNumber: {kind: 'text', uses: read, orNumber: true, about: 'Selection number that it sets.'},
  productId: {kind: 'integer', uses: read, refersTo: 'product', about: 'Product that it sets.'},
  price: {kind: 'decimal', uses: read, about: 'Price that it sets.'},
  invoicePrice: {kind: 'decimal', uses: read, about: 'Price on invoices that it sets.'},
  createdAt: {kind: 'dateTime', uses: read, about: 'When it was created.'},
  par: {kind: 'integer', uses: read, about: 'Stock after a restock that it sets.'},
  depth: {kind: 'integer', uses: read, about: 'How many fit in.'},
  commission: {kind: 'decimal', uses: read, about: 'Commission that it sets.'},
  tax: {kind: 'decimal', uses: read, nullable: true, about: 'Tax that it sets.'},
  customData1: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'First fact of your own.'},
  customData2: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'Second fact of your own.'},
  customData3: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'Third fact of your own.'},
  customData4: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'Fourth fact of your own.'},
  customData5: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'Fifth fact of your own.'},
} as const satisfies Fields

/** [pub] A machine that a template is applied to; the request names both by filters. */
const templateApplication = {
  machineId: {
    kind: 'integer',
    uses: ['update'],
    refersTo: 'machine',
    required: ['update'],
    min: 1,
    about: 'Machine that the template is applied to.',
  },
  organizationId: {
    kind: 'integer',
    uses: ['update'],
    refersTo: 'organization',
    required: ['update'],
    about: 'Organization of the machine; one request takes machines of one.',
  },
  templateId: {
    kind: 'integer',
    uses: ['update'],
    refersTo: 'template',
    required: ['update'],
    min: 1,
    about: 'Template that is applied.',
  },
} as const satisfies Fields

/** [pub] A machine that is provisioned; the request names it by filters. */
const provisioning = {
  prose: {
    kind: 'text',
    uses: ['update'],
    required: ['update'],
    maxLength: 15,
    example: 'PRS100001',
    about: 'PROSE serial of the machine.',
  },
  organizationId: {
    kind: 'integer',
    uses: ['update'],
    refersTo: 'organization',
    required: ['update'],
    min: 1,
    about: 'Organization that gets the machine, at its default site.',
  },
} as const satisfies Fields

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

/** [pub] Their elements are not documented. */
const attachments = {
  tags: {kind: 'list', uses: read, fields: {}, about: 'Tags.'},
  files: {kind: 'list', uses: read, fields: {}, about: 'Linked files.'},
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

/** [pub] Settings of a machine; an update retires the record and makes a new one with a new id. */
const machineSetting = {
  id: {kind: 'integer', uses: kept, about: 'Identifies the record; it changes with each update.'},
  machineId: {
    kind: 'integer',
    uses: kept,
    refersTo: 'machine',
    required: ['update'],
    min: 1,
    about: 'Machine it belongs to.',
  },
  type: {kind: 'text', uses: kept, required: ['update'], example: 'Config', about: 'Kind of settings.'},
  settings: {
    kind: 'text',
    uses: kept,
    required: ['update'],
    example: 'volume=3',
    opaque: true,
    about: 'The settings, as opaque text.',
  },
  isActive: {kind: 'boolean', uses: kept, about: 'Whether the settings are in force.'},
  isCurrent: {kind: 'boolean', uses: kept, about: 'False once the record is retired.'},
} as const satisfies Fields

/** [dec] An open record: the documentation shows no fields. */
const product = {
  id: {kind: 'integer', uses: read, about: 'Identifies the product.'},
  name: {kind: 'text', uses: read, about: 'Name of the product.'},
} as const satisfies Fields

/** [pub] One visit of a person to the web site or to the service mode of a machine. */
const session = {
  id: {kind: 'integer', uses: read, about: 'Identifies the session.'},
  machineId: {kind: 'integer', uses: read, refersTo: 'machine', nullable: true, about: 'Machine it was on.'},
  organizationId: {kind: 'integer', uses: read, refersTo: 'organization', about: 'Organization it was in.'},
  startedAtUtc: {kind: 'dateTime', uses: read, about: 'When it started, UTC.'},
  endedAtUtc: {kind: 'dateTime', uses: read, nullable: true, about: 'When it ended, UTC.'},
  login: {kind: 'text', uses: read, maxLength: 500, alsoNamed: ['loginId'], about: 'Login that was used.'},
  reason: {kind: 'text', uses: read, nullable: true, maxLength: 300, about: 'Why it was opened.'},
  loginWasSuccessful: {
    kind: 'boolean',
    uses: read,
    alsoNamed: ['loginWasSuccessfull'],
    about: 'Whether the login was accepted.',
  },
  wasAbandoned: {kind: 'boolean', uses: read, nullable: true, about: 'Whether it was left without a logout.'},
  source: {kind: 'text', uses: read, maxLength: 50, about: 'Where it was, such as Web or Service Mode.'},
} as const satisfies Fields

/** [pub] What happened in a session. */
const sessionEvent = {
  id: {kind: 'integer', uses: read, about: 'Identifies the event.'},
  sessionId: {
    kind: 'integer',
    uses: read,
    refersTo: 'session',
    alsoNamed: ['sessionIdId'],
    about: 'Session it belongs to.',
  },
  eventType: {kind: 'text', uses: read, about: 'What happened.'},
  startedAt: {kind: 'dateTime', uses: read, nullable: true, about: 'When it began.'},
  loggedAt: {kind: 'dateTime', uses: read, about: 'When it was logged.'},
  data: {kind: 'text', uses: read, nullable: true, alsoNamed: ['additionalData'], about: 'What belongs to it.'},
} as const satisfies Fields

/** [pub] */
const role = {
  id: {kind: 'integer', uses: read, about: 'Identifies the role.'},
  organizationId: {kind: 'integer', uses: read, refersTo: 'organization', about: 'Organization it belongs to.'},
  name: {kind: 'text', uses: read, about: 'Name of the role.'},
  description: {kind: 'text', uses: read, about: 'What it is for.'},
} as const satisfies Fields

/** [pub] A right that somebody has at a machine; one member of an object becomes one row for each right. */
const machineRight = {
  machineId: {kind: 'integer', uses: read, refersTo: 'machine', about: 'Machine that the right is for.'},
  rightId: {kind: 'integer', uses: read, about: 'The right.'},
} as const satisfies Fields

/** [pub] What a role allows of one right; all three flags false deletes the record. */
const roleRight = {
  id: {kind: 'integer', uses: kept, required: ['update'], about: 'Identifies the role right.'},
  roleId: {kind: 'integer', uses: everywhere, refersTo: 'role', required: sent, min: 1, about: 'Role that has it.'},
  rightId: {kind: 'integer', uses: everywhere, required: sent, min: 1, example: 7, about: 'The right.'},
  canView: {kind: 'boolean', uses: everywhere, required: sent, about: 'Whether it allows looking.'},
  canEdit: {kind: 'boolean', uses: everywhere, required: sent, about: 'Whether it allows changing.'},
  canExecute: {kind: 'boolean', uses: everywhere, required: sent, about: 'Whether it allows carrying out.'},
} as const satisfies Fields

/** The fields of the resources that only the published documentation shows. */
export const publishedFields = {
  selection,
  stockChange,
  template,
  templateSelection,
  templateApplication,
  provisioning,
  inventoryAdjustment,
  transactionMetadata,
  machineSetting,
  product,
  session,
  sessionEvent,
  role,
  machineRight,
  roleRight,
} as const satisfies Record<string, Fields>
