import type {Fields, Route} from '../base/grammar.js'
import {ofDates, ofReads, ofWrites} from '../base/refusals.js'
import {everywhere, ordinary, read, readAndCreate, whatIsWrong} from '../base/uses.js'

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

export const fields = {alert, alertCode} as const satisfies Record<string, Fields>

export const operations = {
  'alerts.list': {
    kind: 'read',
    verb: 'GET',
    path: '/alerts',
    since: 'v2',
    command: 'alerts list', // [seed]
    resource: 'alert',
    maximumPageSize: 2_000,
    refuses: [...ofReads, ...ofDates],
    about: 'List alerts.',
    next: [
      ['alerts codes', 'what the codes mean'],
      ['alerts clear', 'clear alerts by id, from a file or by filter'],
      whatIsWrong,
    ],
    range: {maximumDays: 90, on: 'raisedAt'}, // [dec]
    filters: {
      organizationIds: {matches: ['organizationId']},
      siteIds: {matches: ['siteId']},
      machineIdentifiers: {matches: ['machineId', 'machineProse']},
      StartDate: {matches: ['raisedAt']},
      EndDate: {matches: ['raisedAt']},
      alertIds: {matches: ['id']},
      alertCodes: {matches: ['code']},
    },
  },
  'alerts.create': {
    kind: 'write',
    verb: 'PUT',
    path: '/alerts',
    since: 'v2',
    command: 'alerts create', // [seed]
    resource: 'alert',
    body: 'create',
    filters: {},
    refuses: [...ofWrites, 'ALERT_EXISTS', 'DATE_PARSING'],
    about: 'Create alerts from a file.',
    next: [],
  },
  'alerts.update': {
    kind: 'write',
    verb: 'PATCH',
    path: '/alerts',
    since: 'v2',
    command: 'alerts update', // [seed]
    resource: 'alert',
    body: 'update',
    filters: {},
    refuses: [...ofWrites, 'DATE_PARSING'],
    about: 'Update alerts from a file.',
    next: [],
  },
  'alerts.clear': {
    kind: 'write',
    verb: 'POST',
    path: '/alerts/clear',
    since: 'v2',
    command: 'alerts clear', // [seed]
    resource: 'alert',
    body: 'none',
    filters: {alertIds: {matches: ['id']}},
    refuses: [...ofWrites, 'ALREADY_CLEARED'],
    about: 'Clear alerts, also those that only the user interface clears.',
    next: [['alerts list', 'look at them first']],
  },
  'alerts.codes': {
    kind: 'read',
    verb: 'GET',
    path: '/alerts/codes',
    since: 'v2',
    command: 'alerts codes', // [3rd]
    unconfirmed: ['its path'],
    resource: 'alertCode',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List alert codes.',
    next: [['alerts list --code CODE', 'the alerts with a code']],
    filters: {},
  },
} as const satisfies Record<string, Route>

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
    identity: [],
    ...ordinary,
    answer: 'ids',
    probe: {
      kind: 'likeness',
      read: 'alerts.list',
      filters: {machineIdentifiers: 'machineId', alertCodes: 'code'},
      like: {
        time: {sent: 'raisedAt', kept: 'raisedAtServerTime'},
        fixed: ['alertMetadata'],
        editable: ['message'],
      },
    },
    duplicateCode: 'ALERT_EXISTS',
    boundsCode: 'GENERIC_ERROR',
    preimage: 'ids',
    undo: {never: 'it created alerts, and the service has no route that deletes them'},
    merge: 'none',
    repeatable: {when: 'asked', unless: {read: 'alerts.codes', field: 'code', flag: 'onlyOneExists'}},
    endState: clearing,
    words: {verb: 'Create', ...nouns},
  },
  'alerts.update': {
    identity: ['id'],
    ...ordinary,
    answer: 'records',
    probe: {kind: 'fields', read: 'alerts.list', compares: 'all'},
    duplicateCode: null,
    boundsCode: 'GENERIC_ERROR',
    preimage: 'records',
    undo: {by: 'alerts.update'},
    merge: 'partial',
    repeatable: {when: 'always'},
    endState: clearing,
    words: {verb: 'Update', ...nouns},
  },
  'alerts.clear': {
    identity: ['id'],
    ...ordinary,
    sentAs: {alertIds: 'id'},
    answer: 'nothing',
    probe: {kind: 'endState', read: 'alerts.list'},
    duplicateCode: 'ALREADY_CLEARED',
    boundsCode: 'GENERIC_ERROR',
    preimage: 'records',
    undo: {never: `it cleared alerts, and ${clearing.never}`},
    merge: 'none',
    repeatable: {when: 'always'},
    endState: clearing,
    words: {verb: 'Clear', ...nouns},
  },
} as const
