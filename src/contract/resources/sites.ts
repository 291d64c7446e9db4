import type {Fields, Row} from '../base/grammar.js'
import {ofWrites} from '../base/refusals.js'
import {
  boolean,
  choice,
  everywhere,
  integer,
  object,
  ordinary,
  read,
  reading,
  sent,
  text,
  whatIsWrong,
  writing,
} from '../base/rows.js'

/** [pub] A site as it is read and written. */
const site = {
  id: integer(['read', 'update', 'delete'], 'Identifies the site.', {required: ['update', 'delete']}),
  accountId: integer(everywhere, 'Account the site belongs to.', {refersTo: 'account', required: sent, min: 1}),
  orgId: integer(everywhere, 'Organization the site belongs to.', {refersTo: 'organization', required: sent, min: 1}),
  name: text(everywhere, 'Name, unique in its account.', {required: sent, maxLength: 100, example: 'Example Site'}),
  contact: object(everywhere, 'Whom to call about the site.', {
    nullable: true,
    fields: {
      firstName: text(everywhere, 'First name of the contact.', {nullable: true, example: 'Ada'}),
      lastName: text(everywhere, 'Last name of the contact.', {nullable: true, example: 'Miller'}),
      telephoneNumber: text(everywhere, 'Telephone number of the contact.', {nullable: true, example: '555-0100'}),
      emailAddress: text(everywhere, 'E-mail address of the contact.', {nullable: true, example: 'ada@example.com'}),
    },
  }),
  commissionPercentage: integer(everywhere, 'Commission in percent.', {nullable: true, min: 0, example: 5}),
  isActive: boolean(everywhere, 'Whether the site is active.', {required: sent}),
  timeZone: text(everywhere, 'Time zone, as a Windows name such as Pacific Standard Time, or an IANA name.', {
    nullable: true,
    maxLength: 50,
    zone: true,
    example: 'Pacific Standard Time',
  }),
  isEnabled: boolean(read, 'Whether the site is in use; set by the service.'),
  maxChargePrice: integer(everywhere, 'Highest price of one charge.', {required: sent, min: 0, example: 500}),
  billingAddress: text(everywhere, 'Billing address.', {
    nullable: true,
    maxLength: 300,
    example: '1 Example Street, Portsmouth',
  }),
  shippingAddress: text(everywhere, 'Shipping address.', {nullable: true, maxLength: 300}),
  maximumMeterSalesJumpAllowed: integer(everywhere, 'Largest jump of the sales meter that is believed.', {
    required: sent,
    min: 0,
    example: 1000,
  }),
  commissionTerms: choice(everywhere, 'When commission is due.', {
    required: sent,
    of: ['PrePaid', 'Net10', 'Net15', 'Net30', 'Net45', 'Net60'],
  }),
  externalAccountTerminalId: text(everywhere, 'Terminal id in an external account.', {nullable: true, maxLength: 50}),
  chargeKeyId: integer(everywhere, 'Charge key of the organization; a global one is refused.', {
    nullable: true,
    min: 1,
  }),
} as const satisfies Fields

export const fields = {site} as const satisfies Record<string, Fields>

export const operations = {
  'sites.list': {
    ...reading,
    path: '/sites', // flat-route rule [seed]
    resource: 'site',
    about: 'List sites.',
    next: {
      'machines list --site ID': 'the machines of a site',
      'sites update --file FILE': 'send an edited list back',
      ...whatIsWrong,
    },
    filters: {organizationIds: ['orgId'], accountIds: ['accountId'], siteIds: ['id'], includeDeleted: []},
  },
  'sites.create': {
    ...writing,
    verb: 'PUT',
    path: '/sites', // [seed]
    resource: 'site',
    body: 'create',
    refuses: [...ofWrites, 'NAME_UNIQUENESS', 'GLOBAL_CHARGE_KEY', 'SITE_VALIDATION'],
    about: 'Create sites from a file, or one with --set.',
  },
  'sites.update': {
    ...writing,
    verb: 'PATCH',
    path: '/sites', // [seed]
    resource: 'site',
    body: 'update',
    refuses: [...ofWrites, 'NAME_UNIQUENESS', 'GLOBAL_CHARGE_KEY', 'SITE_VALIDATION'],
    about: 'Update sites: from a file, by id, or those that filters choose.',
  },
  'sites.delete': {
    ...writing,
    verb: 'DELETE',
    path: '/sites', // [pub], body [3rd]
    unconfirmed: ['its body'],
    resource: 'site',
    body: 'delete',
    about: 'Delete sites: from a file, by id, or those that filters choose.',
    next: {'sites list --include-deleted': 'the deleted ones among all'},
  },
} as const satisfies Record<string, Row>

const nouns = {noun: 'site', nouns: 'sites'} as const

export const policies = {
  'sites.create': {
    ...ordinary,
    identity: ['accountId', 'name'],
    answer: 'ids',
    probe: {kind: 'identity', read: 'sites.list', filters: {accountIds: 'accountId'}},
    duplicateCode: 'NAME_UNIQUENESS',
    boundsCode: 'SITE_VALIDATION',
    preimage: 'ids',
    undo: {by: 'sites.delete'},
    words: {verb: 'Create', ...nouns},
  },
  'sites.update': {
    ...ordinary,
    answer: 'nothing',
    probe: {kind: 'fields', read: 'sites.list', compares: 'all'},
    boundsCode: 'SITE_VALIDATION',
    undo: {by: 'sites.update'},
    creates: 'sites.create',
    merge: 'full-replace',
    words: {verb: 'Update', ...nouns},
  },
  'sites.delete': {
    ...ordinary,
    answer: 'nothing',
    deletes: 'all',
    probe: {kind: 'gone', read: 'sites.list', flag: 'isEnabled'},
    duplicateCode: 'MISSING_RECORD',
    undo: {never: 'it deleted sites, and whether the service can bring them back is not known'},
    repeatable: {when: 'always'},
    words: {verb: 'Delete', ...nouns},
  },
} as const
