import type {Fields, Row} from '../base/grammar.js'
import {ofDates, ofReads, ofWrites} from '../base/refusals.js'
import {
  boolean,
  dateTime,
  everywhere,
  integer,
  object,
  ordinary,
  read,
  readAndCreate,
  reading,
  text,
  whatIsWrong,
  writing,
} from '../base/rows.js'

/** [pub] and [seed]: times sent are UTC; the service keeps server time and the local time of the machine. */
const alert = {
  id: integer(['read', 'update'], 'Identifies the alert.', {required: ['update']}),
  organizationId: integer(readAndCreate, 'Organization; filled from the machine.', {refersTo: 'organization'}),
  accountId: integer(readAndCreate, 'Account; filled from the machine.', {refersTo: 'account', nullable: true}),
  siteId: integer(readAndCreate, 'Site; filled from the machine.', {refersTo: 'site', nullable: true}),
  machineId: integer(readAndCreate, 'Machine the alert is about.', {refersTo: 'machine', required: ['create'], min: 1}),
  machineLocation: text(readAndCreate, 'Where the machine stands.', {nullable: true}),
  machineProse: text(readAndCreate, 'PROSE serial of the machine.', {nullable: true}),
  alertCodeId: integer(readAndCreate, 'Id of the alert code.', {refersTo: 'alertCode', nullable: true}),
  code: text(readAndCreate, 'Alert code, such as NS for no sales.', {required: ['create'], example: 'NS'}),
  message: text(everywhere, 'What is wrong.', {required: ['create'], example: 'No sales for two days'}),
  isCleared: boolean(everywhere, 'Whether the alert is cleared; it is never uncleared.'),
  raisedAt: dateTime(readAndCreate, 'When it was raised; sent as UTC, kept as machine time.', {clock: 'local'}),
  clearedAt: dateTime(everywhere, 'When it was cleared; sent as UTC, kept as machine time.', {
    clock: 'local',
    nullable: true,
  }),
  raisedAtServerTime: dateTime(read, 'When it was raised, in server time.'), // name [dec]
  clearedAtServerTime: dateTime(read, 'When it was cleared, in server time.', {nullable: true}), // name [dec]
  alertMetadata: object(readAndCreate, 'One further fact about the alert.', {
    nullable: true,
    fields: {key: text(readAndCreate, 'Name of the fact.'), value: text(readAndCreate, 'The fact.')},
  }),
} as const satisfies Fields

/** [seed] names the flag OnlyOneExists; the rest is [dec]. */
const alertCode = {
  id: integer(read, 'Identifies the alert code.'),
  code: text(read, 'The code, as alerts carry it.'),
  description: text(read, 'What the code means.'),
  onlyOneExists: boolean(read, 'Only one open alert of this code may exist on a machine.'),
  uiClearOnly: boolean(read, 'People clear it in the user interface; the API may clear it too.'),
} as const satisfies Fields

export const fields = {alert, alertCode} as const satisfies Record<string, Fields>

export const operations = {
  'alerts.list': {
    ...reading,
    path: '/alerts', // [seed]
    resource: 'alert',
    refuses: [...ofReads, ...ofDates],
    about: 'List alerts.',
    next: {
      'alerts codes': 'what the codes mean',
      'alerts clear': 'clear alerts by id, from a file or by filter',
      ...whatIsWrong,
    },
    range: {maximumDays: 90, on: 'raisedAt'}, // [dec]
    filters: {
      organizationIds: ['organizationId'],
      siteIds: ['siteId'],
      machineIdentifiers: ['machineId', 'machineProse'],
      StartDate: ['raisedAt'],
      EndDate: ['raisedAt'],
      alertIds: ['id'],
      alertCodes: ['code'],
    },
  },
  'alerts.create': {
    ...writing,
    verb: 'PUT',
    path: '/alerts', // [seed]
    resource: 'alert',
    body: 'create',
    refuses: [...ofWrites, 'ALERT_EXISTS', 'DATE_PARSING'],
    about: 'Create alerts from a file, or one with --set.',
  },
  'alerts.update': {
    ...writing,
    verb: 'PATCH',
    path: '/alerts', // [seed]
    resource: 'alert',
    body: 'update',
    refuses: [...ofWrites, 'DATE_PARSING'],
    about: 'Update alerts: from a file, by id, or those that filters choose.',
  },
  'alerts.clear': {
    ...writing,
    verb: 'POST',
    path: '/alerts/clear', // [seed]
    resource: 'alert',
    body: 'none',
    filters: {alertIds: ['id']},
    refuses: [...ofWrites, 'ALREADY_CLEARED'],
    about: 'Clear alerts, also those that only the user interface clears.',
    next: {'alerts list': 'look at them first'},
  },
  'alerts.codes': {
    ...reading,
    path: '/alerts/codes', // [3rd]
    unconfirmed: ['its path'],
    resource: 'alertCode',
    about: 'List alert codes.',
    next: {'alerts list --code CODE': 'the alerts with a code'},
    filters: {},
  },
} as const satisfies Record<string, Row>

const nouns = {noun: 'alert', nouns: 'alerts'} as const

/** An alert is never uncleared; a time of clearing clears. [pub] */
const clearing = {
  flag: 'isCleared',
  time: 'clearedAt',
  kept: 'clearedAtServerTime',
  done: 'cleared',
  never: 'an alert is never uncleared',
} as const

export const policies = {
  'alerts.create': {
    ...ordinary,
    identity: [],
    answer: 'ids',
    probe: {
      kind: 'likeness',
      read: 'alerts.list',
      filters: {machineIdentifiers: 'machineId', alertCodes: 'code'},
      like: {time: {sent: 'raisedAt', kept: 'raisedAtServerTime'}, fixed: ['alertMetadata'], editable: ['message']},
    },
    duplicateCode: 'ALERT_EXISTS',
    preimage: 'ids',
    undo: {never: 'it created alerts, and the service has no route that deletes them'},
    repeatable: {when: 'asked', unless: {read: 'alerts.codes', field: 'code', flag: 'onlyOneExists'}},
    endState: clearing,
    words: {verb: 'Create', ...nouns},
  },
  'alerts.update': {
    ...ordinary,
    answer: 'records',
    probe: {kind: 'fields', read: 'alerts.list', compares: 'all'},
    undo: {by: 'alerts.update'},
    merge: 'partial',
    repeatable: {when: 'always'},
    endState: clearing,
    words: {verb: 'Update', ...nouns},
  },
  'alerts.clear': {
    ...ordinary,
    sentAs: {alertIds: 'id'},
    answer: 'nothing',
    probe: {kind: 'endState', read: 'alerts.list'},
    duplicateCode: 'ALREADY_CLEARED',
    undo: {never: `it cleared alerts, and ${clearing.never}`},
    repeatable: {when: 'always'},
    endState: clearing,
    words: {verb: 'Clear', ...nouns},
  },
} as const
