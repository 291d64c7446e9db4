import type {Fields, Route} from '../base/grammar.js'
import {ofReads, ofWrites} from '../base/refusals.js'
import {everywhere, kept, ordinary, read, sent, whatIsWrong} from '../base/uses.js'

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

export const fields = {role, machineRight, roleRight} as const satisfies Record<string, Fields>

export const operations = {
  'roles.list': {
    kind: 'read',
    verb: 'GET',
    path: '/roles',
    since: 'v2',
    command: 'roles list', // [pub]
    resource: 'role',
    maximumPageSize: 50, // [pub]
    refuses: ofReads,
    about: 'List roles.',
    next: [['role-rights list --role ID', 'what a role allows'], whatIsWrong],
    filters: {
      organizationIds: {matches: ['organizationId'], alsoSentAs: 'organizationsId'}, // both spellings [pub]
      roleIdentifiers: {matches: ['id', 'name']}, // [dec]
    },
  },
  'roles.rights': {
    kind: 'read',
    verb: 'GET',
    path: '/roles/role-rights-at-machine',
    since: 'v2',
    command: 'roles rights', // [pub]
    resource: 'machineRight',
    maximumPageSize: 2_000,
    answer: {name: 'machineId', value: 'rightId'}, // one object; its headers say whether more pages follow [dec]
    unconfirmed: ['whether the answer has pages'],
    refuses: ofReads,
    about: 'List the rights of roles at machines.',
    next: [['role-rights list', 'what roles allow'], whatIsWrong],
    filters: {machineIdentifiers: {matches: ['machineId']}, roleIdentifiers: {matches: []}},
  },
  'role-rights.list': {
    kind: 'read',
    verb: 'GET',
    path: '/role-rights',
    since: 'v2',
    command: 'role-rights list', // [pub]
    resource: 'roleRight',
    maximumPageSize: 50,
    refuses: ofReads,
    about: 'List what roles allow.',
    next: [['role-rights update --file FILE', 'send an edited list back'], whatIsWrong],
    filters: {
      organizationIds: {matches: []},
      roleRightIds: {matches: ['id']},
      roleIdentifiers: {matches: ['roleId']},
      rightIds: {matches: ['rightId']},
    },
  },
  'role-rights.create': {
    kind: 'write',
    verb: 'PUT',
    path: '/role-rights',
    since: 'v2',
    command: 'role-rights create', // [pub]
    resource: 'roleRight',
    body: 'create',
    filters: {},
    refuses: ofWrites,
    about: 'Create role rights from a file.',
    next: [],
  },
  'role-rights.update': {
    kind: 'write',
    verb: 'PATCH',
    path: '/role-rights',
    since: 'v2',
    command: 'role-rights update', // [pub]
    resource: 'roleRight',
    body: 'update',
    filters: {},
    refuses: ofWrites,
    about: 'Update role rights from a file; three false flags delete one.',
    next: [],
  },
} as const satisfies Record<string, Route>

const nouns = {noun: 'role right', nouns: 'role rights'} as const

export const policies = {
  'role-rights.create': {
    ...ordinary,
    identity: ['roleId', 'rightId'],
    answer: 'ids',
    probe: {kind: 'identity', read: 'role-rights.list', filters: {roleIdentifiers: 'roleId', rightIds: 'rightId'}},
    duplicateCode: 'GENERIC_ERROR', // [dec]
    boundsCode: 'GENERIC_ERROR',
    preimage: 'ids',
    undo: {by: 'role-rights.update'},
    merge: 'none',
    repeatable: {when: 'settled'},
    words: {verb: 'Create', ...nouns},
  },
  'role-rights.update': {
    ...ordinary,
    identity: ['id'],
    answer: 'records',
    deletes: {allFalse: ['canView', 'canEdit', 'canExecute']},
    probe: {kind: 'fields', read: 'role-rights.list', compares: 'all'},
    duplicateCode: null,
    boundsCode: 'GENERIC_ERROR',
    preimage: 'records',
    undo: {by: 'role-rights.update'},
    merge: 'full-replace',
    repeatable: {when: 'settled'},
    words: {verb: 'Update', ...nouns},
  },
} as const
