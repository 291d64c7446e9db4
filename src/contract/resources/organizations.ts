import type {Fields, Route} from '../base/grammar.js'
import {ofReads} from '../base/refusals.js'
import {read, whatIsWrong} from '../base/uses.js'

/** [dec] The specification shows no fields of an organization. */
const organization = {
  id: {kind: 'integer', uses: read, about: 'Identifies the organization.'},
  name: {kind: 'text', uses: read, maxLength: 100, about: 'Name of the organization.'},
  timeZone: {kind: 'text', uses: read, nullable: true, about: 'Default time zone, as a Windows or IANA name.'},
  isEnabled: {kind: 'boolean', uses: read, about: 'Whether the organization is in use.'},
} as const satisfies Fields

export const fields = {organization} as const satisfies Record<string, Fields>

export const operations = {
  'organizations.list': {
    kind: 'read',
    verb: 'GET',
    path: '/organizations',
    since: 'v2',
    command: 'organizations list', // [3rd]
    unconfirmed: ['its path'],
    resource: 'organization',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List organizations.',
    next: [['accounts list --organization ID', 'the accounts of an organization'], whatIsWrong],
    filters: {organizationIds: {matches: ['id']}},
  },
} as const satisfies Record<string, Route>
