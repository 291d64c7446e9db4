import type {Fields, Row} from '../base/grammar.js'
import {boolean, integer, read, reading, text, whatIsWrong} from '../base/rows.js'

/** [dec] The specification shows no fields of an account. */
const account = {
  id: integer(read, 'Identifies the account.'),
  organizationId: integer(read, 'Organization the account belongs to.', {refersTo: 'organization'}),
  name: text(read, 'Name of the account.', {maxLength: 100}),
  externalId: text(read, 'Id of the account in your own books.', {nullable: true, maxLength: 50}),
  isEnabled: boolean(read, 'Whether the account is in use.'),
} as const satisfies Fields

export const fields = {account} as const satisfies Record<string, Fields>

export const operations = {
  'accounts.list': {
    ...reading,
    path: '/accounts', // [seed]
    resource: 'account',
    about: 'List accounts.',
    next: {'sites list --account ID': 'the sites of an account', ...whatIsWrong},
    filters: {organizationIds: ['organizationId'], accountIds: ['id']},
  },
} as const satisfies Record<string, Row>
