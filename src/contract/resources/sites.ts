import type {Fields, Route} from '../base/grammar.js'
import {ofReads, ofWrites} from '../base/refusals.js'
import {everywhere, ordinary, read, sent, whatIsWrong} from '../base/uses.js'

/** [pub] A site as it is read and written. */
const site = {
  id: {
    kind: 'integer',
    uses: ['read', 'update', 'delete'],
    required: ['update', 'delete'],
    about: 'Identifies the site.',
  },
  accountId: {
    kind: 'integer',
    uses: everywhere,
    refersTo: 'account',
    required: sent,
    min: 1,
    about: 'Account the site belongs to.',
  },
  orgId: {
    kind: 'integer',
    uses: everywhere,
    refersTo: 'organization',
    required: sent,
    min: 1,
    about: 'Organization the site belongs to.',
  },
  name: {
    kind: 'text',
    uses: everywhere,
    required: sent,
    maxLength: 100,
    example: 'Example Site',
    about: 'Name, unique in its account.',
  },
  contact: {
    kind: 'object',
    uses: everywhere,
    nullable: true,
    about: 'Whom to call about the site.',
    fields: {
      firstName: {kind: 'text', uses: everywhere, nullable: true, example: 'Ada', about: 'First name of the contact.'},
      lastName: {kind: 'text', uses: everywhere, nullable: true, example: 'Miller', about: 'Last name of the contact.'},
      telephoneNumber: {
        kind: 'text',
        uses: everywhere,
        nullable: true,
        example: '555-0100',
        about: 'Telephone number of the contact.',
      },
      emailAddress: {
        kind: 'text',
        uses: everywhere,
        nullable: true,
        example: 'ada@example.com',
        about: 'E-mail address of the contact.',
      },
    },
  },
  commissionPercentage: {
    kind: 'integer',
    uses: everywhere,
    nullable: true,
    min: 0,
    example: 5,
    about: 'Commission in percent.',
  },
  isActive: {kind: 'boolean', uses: everywhere, required: sent, about: 'Whether the site is active.'},
  timeZone: {
    kind: 'text',
    uses: everywhere,
    nullable: true,
    maxLength: 50,
    zone: true,
    example: 'Pacific Standard Time',
    about: 'Time zone, as a Windows name such as Pacific Standard Time, or an IANA name.',
  },
  isEnabled: {kind: 'boolean', uses: read, about: 'Whether the site is in use; set by the service.'},
  maxChargePrice: {
    kind: 'integer',
    uses: everywhere,
    required: sent,
    min: 0,
    example: 500,
    about: 'Highest price of one charge.',
  },
  billingAddress: {
    kind: 'text',
    uses: everywhere,
    nullable: true,
    maxLength: 300,
    example: '1 Example Street, Portsmouth',
    about: 'Billing address.',
  },
  shippingAddress: {kind: 'text', uses: everywhere, nullable: true, maxLength: 300, about: 'Shipping address.'},
  maximumMeterSalesJumpAllowed: {
    kind: 'integer',
    uses: everywhere,
    required: sent,
    min: 0,
    example: 1000,
    about: 'Largest jump of the sales meter that is believed.',
  },
  commissionTerms: {
    kind: 'choice',
    uses: everywhere,
    required: sent,
    of: ['PrePaid', 'Net10', 'Net15', 'Net30', 'Net45', 'Net60'],
    about: 'When commission is due.',
  },
  externalAccountTerminalId: {
    kind: 'text',
    uses: everywhere,
    nullable: true,
    maxLength: 50,
    about: 'Terminal id in an external account.',
  },
  chargeKeyId: {
    kind: 'integer',
    uses: everywhere,
    nullable: true,
    min: 1,
    about: 'Charge key of the organization; a global one is refused.',
  },
} as const satisfies Fields

export const fields = {site} as const satisfies Record<string, Fields>

export const operations = {
  'sites.list': {
    kind: 'read',
    verb: 'GET',
    path: '/sites',
    since: 'v2',
    command: 'sites list', // flat-route rule [seed]
    resource: 'site',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List sites.',
    next: [
      ['machines list --site ID', 'the machines of a site'],
      ['sites update --file FILE', 'send an edited list back'],
      whatIsWrong,
    ],
    filters: {
      organizationIds: {matches: ['orgId']},
      accountIds: {matches: ['accountId']},
      siteIds: {matches: ['id']},
      includeDeleted: {matches: []},
    },
  },
  'sites.create': {
    kind: 'write',
    verb: 'PUT',
    path: '/sites',
    since: 'v2',
    command: 'sites create', // [seed]
    resource: 'site',
    body: 'create',
    filters: {},
    refuses: [...ofWrites, 'NAME_UNIQUENESS', 'GLOBAL_CHARGE_KEY', 'SITE_VALIDATION'],
    about: 'Create sites from a file.',
    next: [],
  },
  'sites.update': {
    kind: 'write',
    verb: 'PATCH',
    path: '/sites',
    since: 'v2',
    command: 'sites update', // [seed]
    resource: 'site',
    body: 'update',
    filters: {},
    refuses: [...ofWrites, 'NAME_UNIQUENESS', 'GLOBAL_CHARGE_KEY', 'SITE_VALIDATION'],
    about: 'Update sites from a file.',
    next: [],
  },
  'sites.delete': {
    kind: 'write',
    verb: 'DELETE',
    path: '/sites',
    since: 'v2',
    command: 'sites delete', // [pub], body [3rd]
    unconfirmed: ['its body'],
    resource: 'site',
    body: 'delete',
    filters: {},
    refuses: ofWrites,
    about: 'Delete sites that a file names.',
    next: [['sites list --include-deleted', 'the deleted ones among all']],
  },
} as const satisfies Record<string, Route>

const nouns = {noun: 'site', nouns: 'sites'} as const

export const policies = {
  'sites.create': {
    identity: ['accountId', 'name'],
    ...ordinary,
    answer: 'ids',
    probe: {kind: 'identity', read: 'sites.list', filters: {accountIds: 'accountId'}},
    duplicateCode: 'NAME_UNIQUENESS',
    boundsCode: 'SITE_VALIDATION',
    preimage: 'ids',
    undo: {by: 'sites.delete'},
    merge: 'none',
    repeatable: {when: 'settled'},
    words: {verb: 'Create', ...nouns},
  },
  'sites.update': {
    identity: ['id'], // [pub]
    ...ordinary,
    answer: 'nothing',
    probe: {kind: 'fields', read: 'sites.list', compares: 'all'},
    duplicateCode: null,
    boundsCode: 'SITE_VALIDATION',
    preimage: 'records',
    undo: {by: 'sites.update'},
    merge: 'full-replace',
    repeatable: {when: 'settled'},
    words: {verb: 'Update', ...nouns},
  },
  'sites.delete': {
    ...ordinary,
    identity: ['id'],
    answer: 'nothing',
    deletes: 'all',
    probe: {kind: 'gone', read: 'sites.list', flag: 'isEnabled'},
    duplicateCode: 'MISSING_RECORD',
    boundsCode: 'GENERIC_ERROR',
    preimage: 'records',
    undo: {never: 'it deleted sites, and whether the service can bring them back is not known'},
    merge: 'none',
    repeatable: {when: 'always'},
    words: {verb: 'Delete', ...nouns},
  },
} as const
