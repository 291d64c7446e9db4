import type {Fields, Route} from '../base/grammar.js'
import {ofWrites} from '../base/refusals.js'
import {ordinary, read} from '../base/uses.js'

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

export const fields = {customData} as const satisfies Record<string, Fields>

export const operations = {
  'machines.custom-data.create': {
    kind: 'write',
    verb: 'PUT',
    path: '/machines/custom-data',
    since: 'v2', // [seed]
    command: 'machines custom-data create',
    resource: 'customData',
    body: 'create',
    filters: {},
    refuses: [...ofWrites, 'CUSTOM_DATA_EXISTS'],
    about: 'Create machine custom data from a file.',
    next: [],
  },
} as const satisfies Record<string, Route>

export const policies = {
  'machines.custom-data.create': {
    identity: ['machineId', 'key'],
    ...ordinary,
    answer: 'ids',
    probe: {kind: 'resend'},
    duplicateCode: 'CUSTOM_DATA_EXISTS',
    boundsCode: 'GENERIC_ERROR',
    preimage: 'none',
    undo: {never: 'it created custom data, and the service has no route that deletes it'},
    merge: 'none',
    repeatable: {when: 'always'},
    words: {verb: 'Create', noun: 'custom data record', nouns: 'custom data records'},
  },
} as const
