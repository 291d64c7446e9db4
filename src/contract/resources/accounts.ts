import type {Fields, Route} from '../base/grammar.js'
import {ofReads} from '../base/refusals.js'
import {read, whatIsWrong} from '../base/uses.js'

/** [dec] The specification shows no fields of an account. */
const account = {
  id: {kind: 'integer', uses: read, about: 'Identifies the account.'},
  organizationId: {
    kind: 'integer',
    uses: read,
    refersTo: 'organization',
    about: 'Organization the account belongs to.',
  },
  name: {kind: 'text', uses: read, maxLength: 100, about: 'Name of the account.'},
  externalId: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'Id of the account in your own books.'},
  isEnabled: {kind: 'boolean', uses: read, about: 'Whether the account is in use.'},
} as const satisfies Fields

export const fields = {account} as const satisfies Record<string, Fields>

export const operations = {
  'accounts.list': {
    kind: 'read',
    verb: 'GET',
    path: '/accounts',
    since: 'v2',
    command: 'accounts list', // [seed]
    resource: 'account',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List accounts.',
    next: [['sites list --account ID', 'the sites of an account'], whatIsWrong],
    filters: {organizationIds: {matches: ['organizationId']}, accountIds: {matches: ['id']}},
  },
} as const satisfies Record<string, Route>
