import type {Fields, Row} from '../base/grammar.js'
import {boolean, integer, read, reading, text, whatIsWrong} from '../base/rows.js'

/** [dec] The specification shows no fields of an organization. */
const organization = {
  id: integer(read, 'Identifies the organization.'),
  name: text(read, 'Name of the organization.', {maxLength: 100}),
  timeZone: text(read, 'Default time zone, as a Windows or IANA name.', {nullable: true}),
  isEnabled: boolean(read, 'Whether the organization is in use.'),
} as const satisfies Fields

/** [dec] The specification shows no fields of an account. */
const account = {
  id: integer(read, 'Identifies the account.'),
  organizationId: integer(read, 'Organization the account belongs to.', {refersTo: 'organization'}),
  name: text(read, 'Name of the account.', {maxLength: 100}),
  externalId: text(read, 'Id of the account in your own books.', {nullable: true, maxLength: 50}),
  isEnabled: boolean(read, 'Whether the account is in use.'),
} as const satisfies Fields

export const fields = {organization, account} as const satisfies Record<string, Fields>

export const operations = {
  'organizations.list': {
    ...reading,
    path: '/organizations', // [3rd]
    unconfirmed: ['its path'],
    resource: 'organization',
    about: 'List organizations.',
    next: {'accounts list --organization ID': 'the accounts of an organization', ...whatIsWrong},
    filters: {organizationIds: ['id']},
  },
  'accounts.list': {
    ...reading,
    path: '/accounts', // [seed]
    resource: 'account',
    about: 'List accounts.',
    next: {'sites list --account ID': 'the sites of an account', ...whatIsWrong},
    filters: {organizationIds: ['organizationId'], accountIds: ['id']},
  },
} as const satisfies Record<string, Row>
