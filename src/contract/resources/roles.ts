import type {Fields, Row} from '../base/grammar.js'
import {
  boolean,
  everywhere,
  integer,
  kept,
  ordinary,
  read,
  reading,
  sent,
  text,
  whatIsWrong,
  writing,
} from '../base/rows.js'

const role = {
  id: integer(read, 'Identifies the role.'),
  organizationId: integer(read, 'Organization it belongs to.', {refersTo: 'organization'}),
  name: text(read, 'Name of the role.'),
  description: text(read, 'What it is for.'),
} as const satisfies Fields

/** [pub] A right that somebody has at a machine; one member of an object becomes one row for each right. */
const machineRight = {
  machineId: integer(read, 'Machine that the right is for.', {refersTo: 'machine'}),
  rightId: integer(read, 'The right.'),
} as const satisfies Fields

/** [pub] What a role allows of one right; all three flags false deletes the record. */
const roleRight = {
  id: integer(kept, 'Identifies the role right.', {required: ['update']}),
  roleId: integer(everywhere, 'Role that has it.', {refersTo: 'role', required: sent, min: 1}),
  rightId: integer(everywhere, 'The right.', {required: sent, min: 1, example: 7}),
  canView: boolean(everywhere, 'Whether the role may view.', {required: sent}),
  canEdit: boolean(everywhere, 'Whether the role may edit.', {required: sent}),
  canExecute: boolean(everywhere, 'Whether the role may execute.', {required: sent}),
} as const satisfies Fields

export const fields = {role, machineRight, roleRight} as const satisfies Record<string, Fields>

export const operations = {
  'roles.list': {
    ...reading,
    path: '/roles', // [pub]
    resource: 'role',
    maximumPageSize: 50, // [pub]
    about: 'List roles.',
    next: {'role-rights list --role ID': 'what a role allows', ...whatIsWrong},
    filters: {
      organizationIds: ['organizationId'],
      roleIdentifiers: ['id', 'name'], // [dec]
    },
    alsoSentAs: {organizationIds: 'organizationsId'}, // both spellings [pub]
  },
  'roles.rights': {
    ...reading,
    path: '/roles/role-rights-at-machine', // [pub]
    resource: 'machineRight',
    answer: {name: 'machineId', value: 'rightId'}, // one object; its headers say whether more pages follow [dec]
    unconfirmed: ['whether the answer has pages'],
    about: 'List the rights of roles at machines.',
    next: {'role-rights list': 'what roles allow', ...whatIsWrong},
    filters: {machineIdentifiers: ['machineId'], roleIdentifiers: []},
  },
  'role-rights.list': {
    ...reading,
    path: '/role-rights', // [pub]
    resource: 'roleRight',
    maximumPageSize: 50,
    about: 'List what roles allow.',
    next: {'role-rights update --file FILE': 'send an edited list back', ...whatIsWrong},
    filters: {organizationIds: [], roleRightIds: ['id'], roleIdentifiers: ['roleId'], rightIds: ['rightId']},
  },
  'role-rights.create': {
    ...writing,
    verb: 'PUT',
    path: '/role-rights', // [pub]
    resource: 'roleRight',
    body: 'create',
    about: 'Create role rights from a file.',
  },
  'role-rights.update': {
    ...writing,
    verb: 'PATCH',
    path: '/role-rights', // [pub]
    resource: 'roleRight',
    body: 'update',
    about: 'Update role rights from a file; three false flags delete one.',
  },
} as const satisfies Record<string, Row>

const nouns = {noun: 'role right', nouns: 'role rights'} as const

export const policies = {
  'role-rights.create': {
    ...ordinary,
    identity: ['roleId', 'rightId'],
    answer: 'ids',
    probe: {kind: 'identity', read: 'role-rights.list', filters: {roleIdentifiers: 'roleId', rightIds: 'rightId'}},
    duplicateCode: 'GENERIC_ERROR', // [dec]
    preimage: 'ids',
    undo: {by: 'role-rights.update'},
    words: {verb: 'Create', ...nouns},
  },
  'role-rights.update': {
    ...ordinary,
    answer: 'records',
    deletes: {allFalse: ['canView', 'canEdit', 'canExecute']},
    probe: {kind: 'fields', read: 'role-rights.list', compares: 'all'},
    undo: {by: 'role-rights.update'},
    merge: 'full-replace',
    words: {verb: 'Update', ...nouns},
  },
} as const
