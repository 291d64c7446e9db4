import type {Fields, Row} from '../base/grammar.js'
import {ofWrites} from '../base/refusals.js'
import {
  boolean,
  dateTime,
  decimal,
  integer,
  kept,
  object,
  ordinary,
  read,
  reading,
  text,
  whatIsWrong,
  writing,
} from '../base/rows.js'

const firmware = {
  current: text(kept, 'Version that runs.', {nullable: true}),
  pendingUpdate: text(kept, 'Version that waits to be installed.', {nullable: true}),
} as const satisfies Fields

const moment = {
  server: dateTime(read, 'In server time.'),
  local: dateTime(read, 'In the local time of the machine.', {clock: 'local'}),
} as const satisfies Fields

/** [pub] A machine. What is sent and read only is ignored by the service. */
const machine = {
  id: integer(kept, 'Identifies the machine.', {required: ['update']}),
  assetId: integer(kept, 'Asset the machine is booked as.'),
  organizationId: integer(read, 'Organization the machine belongs to.', {refersTo: 'organization'}),
  siteId: integer(kept, 'Site the machine stands at; another one moves it.', {
    required: ['update'],
    refersTo: 'site',
    min: 1,
  }),
  typeId: integer(kept, 'Type of machine.'),
  machineMasterId: integer(read, 'Model template of the machine.'),
  controllerFirmware: object(kept, 'Firmware of the controller.', {nullable: true, fields: firmware}),
  pcFirmware: object(kept, 'Firmware of the PC.', {nullable: true, fields: firmware}),
  forceUpdate: boolean(kept, 'Whether an update is forced.'),
  prose: text(read, 'PROSE serial of the machine.', {maxLength: 15}),
  name: text(kept, 'Name of the machine.', {maxLength: 120}),
  modelNumber: text(kept, 'Model number.', {maxLength: 50}),
  taxPercentage: decimal(kept, 'Tax in percent.'),
  commissionPercentage: decimal(kept, 'Commission in percent.'),
  hasPlanogramChange: boolean(read, 'Whether a planogram change waits.'),
  callInCode: text(read, 'Code the machine calls in with.', {maxLength: 12}),
  enableAccountSales: boolean(kept, 'Whether account sales are on.'),
  enableCashSales: boolean(kept, 'Whether cash sales are on.'),
  enableCreditSales: boolean(kept, 'Whether credit sales are on.'),
  mode: text(kept, 'Mode the machine runs in.'),
  isVisible: boolean(kept, 'Whether the machine is shown.'),
  createdAt: dateTime(read, 'When the machine was created.'),
  provisionedAt: dateTime(read, 'When the machine was provisioned.'),
  lastHeartBeat: object(read, 'Last sign of life.', {fields: moment}),
  lastCashSale: object(read, 'Last cash sale.', {fields: moment}),
  lastCreditSale: object(read, 'Last credit sale.', {fields: moment}),
  lastAccountSale: object(read, 'Last account sale.', {fields: moment}),
  latestRestockToPicklist: object(kept, 'Latest restock to picklist.', {
    nullable: true,
    fields: {
      server: dateTime(kept, 'In server time.'),
      local: dateTime(kept, 'In the local time of the machine.', {clock: 'local'}),
    },
  }),
  creditProcessingFee: decimal(kept, 'Fee for a card payment.'),
  bluetoothId: text(kept, 'Bluetooth id of the machine.', {nullable: true}),
  externalAccountsTerminalId: text(kept, 'Terminal id in an external accounts system.', {nullable: true}),
  canRollbackFirmware: boolean(kept, 'Whether firmware may be rolled back.'),
  ignoreDoorState: boolean(kept, 'Whether the state of the door is ignored.'),
  enableSlotCountTracking: boolean(kept, 'Whether the count of each slot is tracked.'),
  useInternetPricing: boolean(kept, 'Whether prices come from the service.'),
  hardwareSettingsChanged: boolean(kept, 'Whether hardware settings changed.'),
  usePlangramPrice: boolean(kept, 'Whether prices come from the planogram.'), // spelled so [pub]
  useMachineTaxRate: boolean(kept, 'Whether the tax rate of the machine applies.'),
  useMachineCommissionRate: boolean(kept, 'Whether the commission rate of the machine applies.'),
  offerSmsReceipts: integer(kept, 'Whether and how receipts are offered by text message.'),
} as const satisfies Fields

/** [pub] A machine that is provisioned; the request names it by filters. */
const provisioning = {
  prose: text(['update'], 'PROSE serial of the machine.', {required: ['update'], maxLength: 15, example: 'PRS100001'}),
  organizationId: integer(['update'], 'Organization that gets the machine, at its default site.', {
    refersTo: 'organization',
    required: ['update'],
    min: 1,
  }),
} as const satisfies Fields

export const fields = {machine, provisioning} as const satisfies Record<string, Fields>

export const operations = {
  'machines.list': {
    ...reading,
    path: '/machines', // [seed]
    resource: 'machine',
    about: 'List machines.',
    next: {'alerts list --machine ID': 'what machines have raised', ...whatIsWrong},
    filters: {
      organizationIds: ['organizationId'],
      accountIds: [],
      siteIds: ['siteId'],
      machineIdentifiers: ['id', 'prose'],
      includeDeleted: [],
    },
  },
  'machines.update': {
    ...writing,
    verb: 'PATCH',
    path: '/machines', // body [pub]
    unconfirmed: ['that a field left out becomes null'], // [dec]
    resource: 'machine',
    body: 'update',
    refuses: [...ofWrites, 'DATE_PARSING'],
    about: 'Update machines: from a file, by id, or those that filters choose; another site moves them.',
  },
  'machines.provision': {
    ...writing,
    verb: 'POST',
    path: '/machines/provision', // [pub]
    resource: 'provisioning',
    body: 'none',
    filters: {organizationIds: [], machineIdentifiers: []},
    about: 'Provision machines by their PROSE serials, one by one.',
    next: {'machines list': 'the machines and the sites they stand at'},
  },
} as const satisfies Record<string, Row>

const nouns = {noun: 'machine', nouns: 'machines'} as const

export const policies = {
  'machines.update': {
    ...ordinary,
    answer: 'nothing', // or the updated records; both are accepted [dec]
    moves: {field: 'siteId', owner: 'organizationId', ownerThere: 'orgId'},
    probe: {kind: 'fields', read: 'machines.list', filters: {machineIdentifiers: 'id'}, compares: 'given'},
    undo: {by: 'machines.update'},
    merge: 'full-replace',
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
    preimage: 'none',
    undo: {never: 'it provisioned machines, and the service has no route that undoes that'},
    words: {verb: 'Provision', ...nouns},
  },
} as const
