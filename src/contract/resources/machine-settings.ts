import type {Fields, Route} from '../base/grammar.js'
import {ofReads, ofWrites} from '../base/refusals.js'
import {kept, ordinary, whatIsWrong} from '../base/uses.js'

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

export const fields = {machineSetting} as const satisfies Record<string, Fields>

export const operations = {
  'machines.settings.list': {
    kind: 'read',
    verb: 'GET',
    path: '/machines/settings',
    since: 'v2',
    command: 'machines settings list', // [3rd]
    unconfirmed: ['its path'],
    resource: 'machineSetting',
    maximumPageSize: 50, // [pub]
    refuses: ofReads,
    about: 'List settings of machines, retired ones included.',
    next: [['machines settings set --file FILE', 'send an edited list back'], whatIsWrong],
    filters: {machineIdentifiers: {matches: ['machineId']}},
  },
  'machines.settings.set': {
    kind: 'write',
    verb: 'PUT',
    path: '/settings',
    since: 'v2',
    command: 'machines settings set', // [pub]
    resource: 'machineSetting',
    body: 'update',
    filters: {},
    refuses: ofWrites,
    about: 'Set settings of machines from a file.',
    next: [],
  },
} as const satisfies Record<string, Route>

export const policies = {
  'machines.settings.set': {
    ...ordinary,
    identity: ['machineId', 'type'],
    answer: 'records',
    probe: {
      kind: 'current',
      read: 'machines.settings.list',
      filter: 'machineIdentifiers',
      key: ['machineId', 'type'],
      flag: 'isCurrent',
      first: {isActive: true, isCurrent: true},
      fields: ['settings', 'isActive'],
    },
    duplicateCode: null,
    boundsCode: 'GENERIC_ERROR',
    preimage: 'records',
    undo: {by: 'machines.settings.set'},
    merge: 'full-replace',
    repeatable: {when: 'settled'},
    words: {verb: 'Set', noun: 'machine setting', nouns: 'machine settings'},
  },
} as const
