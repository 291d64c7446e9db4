import type {Fields, Row} from '../base/grammar.js'
import {boolean, integer, kept, ordinary, reading, text, whatIsWrong, writing} from '../base/rows.js'

/** [pub] Settings of a machine; an update retires the record and makes a new one with a new id. */
const machineSetting = {
  id: integer(kept, 'Identifies the record; it changes with each update.'),
  machineId: integer(kept, 'Machine it belongs to.', {refersTo: 'machine', required: ['update'], min: 1}),
  type: text(kept, 'Kind of settings.', {required: ['update'], example: 'Config'}),
  settings: text(kept, 'The settings, as opaque text.', {required: ['update'], example: 'volume=3', opaque: true}),
  isActive: boolean(kept, 'Whether the settings are in force.'),
  isCurrent: boolean(kept, 'False once the record is retired.'),
} as const satisfies Fields

export const fields = {machineSetting} as const satisfies Record<string, Fields>

export const operations = {
  'machines.settings.list': {
    ...reading,
    path: '/machines/settings', // [3rd]
    unconfirmed: ['its path'],
    resource: 'machineSetting',
    maximumPageSize: 50, // [pub]
    about: 'List settings of machines, retired ones included.',
    next: {'machines settings set --file FILE': 'send an edited list back', ...whatIsWrong},
    filters: {machineIdentifiers: ['machineId']},
  },
  'machines.settings.set': {
    ...writing,
    verb: 'PUT',
    path: '/settings', // [pub]
    resource: 'machineSetting',
    body: 'update',
    about: 'Set settings of machines from a file.',
  },
} as const satisfies Record<string, Row>

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
    undo: {by: 'machines.settings.set'},
    merge: 'full-replace',
    words: {verb: 'Set', noun: 'machine setting', nouns: 'machine settings'},
  },
} as const
