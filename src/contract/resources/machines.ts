import type {Fields, Route} from '../base/grammar.js'
import {ofReads, ofWrites} from '../base/refusals.js'
import {kept, ordinary, read, whatIsWrong} from '../base/uses.js'

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

export const fields = {machine, provisioning} as const satisfies Record<string, Fields>

export const operations = {
  'machines.list': {
    kind: 'read',
    verb: 'GET',
    path: '/machines',
    since: 'v2',
    command: 'machines list', // [seed]
    resource: 'machine',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List machines.',
    next: [['alerts list --machine ID', 'what machines have raised'], whatIsWrong],
    filters: {
      organizationIds: {matches: ['organizationId']},
      accountIds: {matches: []},
      siteIds: {matches: ['siteId']},
      machineIdentifiers: {matches: ['id', 'prose']},
      includeDeleted: {matches: []},
    },
  },
  'machines.update': {
    kind: 'write',
    verb: 'PATCH',
    path: '/machines',
    since: 'v2',
    command: 'machines update', // body [pub]
    unconfirmed: ['that a field left out becomes null'], // [dec]
    resource: 'machine',
    body: 'update',
    filters: {},
    refuses: [...ofWrites, 'DATE_PARSING'],
    about: 'Update machines from a file; another site moves them.',
    next: [],
  },
  'machines.provision': {
    kind: 'write',
    verb: 'POST',
    path: '/machines/provision',
    since: 'v2',
    command: 'machines provision', // [pub]
    resource: 'provisioning',
    body: 'none',
    filters: {organizationIds: {matches: []}, machineIdentifiers: {matches: []}},
    refuses: ofWrites,
    about: 'Provision machines by their PROSE serials, one by one.',
    next: [['machines list', 'the machines and the sites they stand at']],
  },
} as const satisfies Record<string, Route>

const nouns = {noun: 'machine', nouns: 'machines'} as const

export const policies = {
  'machines.update': {
    ...ordinary,
    identity: ['id'],
    answer: 'nothing', // or the updated records; both are accepted [dec]
    moves: {field: 'siteId', owner: 'organizationId', ownerThere: 'orgId'},
    probe: {kind: 'fields', read: 'machines.list', filters: {machineIdentifiers: 'id'}, compares: 'given'},
    duplicateCode: null,
    boundsCode: 'GENERIC_ERROR',
    preimage: 'records',
    undo: {by: 'machines.update'},
    merge: 'full-replace',
    repeatable: {when: 'settled'},
    words: {verb: 'Update', ...nouns},
  },
  'machines.provision': {
    ...ordinary,
    identity: ['prose'],
    target: 'prose',
    answer: 'nothing',
    sentAs: {organizationIds: 'organizationId', machineIdentifiers: 'prose'},
    set: {most: 1, ownLimit: true},
    probe: {kind: 'moment', read: 'machines.list', filters: {machineIdentifiers: 'prose'}, field: 'provisionedAt'},
    duplicateCode: null,
    boundsCode: 'GENERIC_ERROR',
    preimage: 'none',
    undo: {never: 'it provisioned machines, and the service has no route that undoes that'},
    merge: 'none',
    repeatable: {when: 'settled'},
    words: {verb: 'Provision', ...nouns},
  },
} as const
