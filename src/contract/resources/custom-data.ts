import type {Fields, Row} from '../base/grammar.js'
import {ofWrites} from '../base/refusals.js'
import {integer, ordinary, read, text, writing} from '../base/rows.js'

/** [dec] One record per machine and key. */
const customData = {
  id: integer(read, 'Identifies the record.'),
  machineId: integer(['read', 'create'], 'Machine it belongs to.', {refersTo: 'machine', required: ['create'], min: 1}),
  key: text(['read', 'create'], 'Name, unique per machine.', {
    required: ['create'],
    maxLength: 50,
    example: 'assetTag',
  }),
  value: text(['read', 'create'], 'What is kept under the key.', {nullable: true, maxLength: 500, example: 'A-0042'}),
} as const satisfies Fields

export const fields = {customData} as const satisfies Record<string, Fields>

export const operations = {
  'machines.custom-data.create': {
    ...writing,
    verb: 'PUT',
    path: '/machines/custom-data', // [seed]
    resource: 'customData',
    body: 'create',
    refuses: [...ofWrites, 'CUSTOM_DATA_EXISTS'],
    about: 'Create machine custom data from a file.',
  },
} as const satisfies Record<string, Row>

export const policies = {
  'machines.custom-data.create': {
    ...ordinary,
    identity: ['machineId', 'key'],
    answer: 'ids',
    probe: {kind: 'resend'},
    duplicateCode: 'CUSTOM_DATA_EXISTS',
    preimage: 'none',
    undo: {never: 'it created custom data, and the service has no route that deletes it'},
    repeatable: {when: 'always'},
    words: {verb: 'Create', noun: 'custom data record', nouns: 'custom data records'},
  },
} as const
