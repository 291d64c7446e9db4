import type {Fields, Route} from '../base/grammar.js'
import {ofReads, ofWrites} from '../base/refusals.js'
import {ordinary, read, whatIsWrong} from '../base/uses.js'

/** [dec] An open record: the documentation shows no fields. */
const template = {
  id: {kind: 'integer', uses: read, about: 'Identifies the template.'},
  name: {kind: 'text', uses: read, about: 'Name of the template.'},
} as const satisfies Fields

/** [pub] One selection as a template sets it. */
const templateSelection = {
  id: {kind: 'integer', uses: read, about: 'Identifies the selection of the template.'},
  templateId: {kind: 'integer', uses: read, refersTo: 'template', about: 'Template it belongs to.'},
  variantId: {kind: 'integer', uses: read, nullable: true, about: 'Variant of the template.'},
  selectionNumber: {kind: 'text', uses: read, orNumber: true, about: 'Selection number that it sets.'},
  productId: {kind: 'integer', uses: read, refersTo: 'product', about: 'Product that it sets.'},
  price: {kind: 'decimal', uses: read, about: 'Price that it sets.'},
  invoicePrice: {kind: 'decimal', uses: read, about: 'Price on invoices that it sets.'},
  createdAt: {kind: 'dateTime', uses: read, about: 'When it was created.'},
  par: {kind: 'integer', uses: read, about: 'Stock after a restock that it sets.'},
  depth: {kind: 'integer', uses: read, about: 'How many fit in.'},
  commission: {kind: 'decimal', uses: read, about: 'Commission that it sets.'},
  tax: {kind: 'decimal', uses: read, nullable: true, about: 'Tax that it sets.'},
  customData1: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'First fact of your own.'},
  customData2: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'Second fact of your own.'},
  customData3: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'Third fact of your own.'},
  customData4: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'Fourth fact of your own.'},
  customData5: {kind: 'text', uses: read, nullable: true, maxLength: 50, about: 'Fifth fact of your own.'},
} as const satisfies Fields

/** [pub] A machine that a template is applied to; the request names both by filters. */
const templateApplication = {
  machineId: {
    kind: 'integer',
    uses: ['update'],
    refersTo: 'machine',
    required: ['update'],
    min: 1,
    about: 'Machine that the template is applied to.',
  },
  organizationId: {
    kind: 'integer',
    uses: ['update'],
    refersTo: 'organization',
    required: ['update'],
    about: 'Organization of the machine; one request takes machines of one.',
  },
  templateId: {
    kind: 'integer',
    uses: ['update'],
    refersTo: 'template',
    required: ['update'],
    min: 1,
    about: 'Template that is applied.',
  },
} as const satisfies Fields

export const fields = {template, templateSelection, templateApplication} as const satisfies Record<string, Fields>

export const operations = {
  'templates.list': {
    kind: 'read',
    verb: 'GET',
    path: '/templates',
    since: 'v2',
    command: 'templates list', // [3rd]
    unconfirmed: ['its path', 'its fields'],
    resource: 'template',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List templates.',
    next: [
      ['templates selections --template ID', 'what a template sets'],
      ['templates apply --template ID --machine ID --dry-run', 'what it would change'],
      whatIsWrong,
    ],
    filters: {organizationIds: {matches: []}},
  },
  'templates.selections': {
    kind: 'read',
    verb: 'GET',
    path: '/template-selections',
    since: 'v2',
    command: 'templates selections', // route [3rd]
    unconfirmed: ['its path'],
    resource: 'templateSelection',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List what templates set: product, price and levels of each selection.',
    next: [['templates apply --template ID --machine ID --dry-run', 'what it would change'], whatIsWrong],
    filters: {templateIds: {matches: ['templateId']}},
  },
  'templates.apply': {
    kind: 'write',
    verb: 'POST',
    path: '/templates/apply',
    since: 'v2',
    command: 'templates apply', // [pub]
    resource: 'templateApplication',
    body: 'none',
    filters: {machineIdentifiers: {matches: []}, templateIds: {matches: []}},
    refuses: [...ofWrites, 'NO_SELECTIONS', 'MULTIPLE_TEMPLATES'],
    about: 'Apply a template to machines.',
    next: [['machines list --where hasPlanogramChange=true', 'machines that have not picked up the change']],
  },
} as const satisfies Record<string, Route>

const nouns = {noun: 'machine', nouns: 'machines'} as const

export const policies = {
  'templates.apply': {
    ...ordinary,
    identity: ['machineId'],
    target: 'machineId',
    answer: 'nothing',
    sentAs: {machineIdentifiers: 'machineId', templateIds: 'templateId'},
    set: {same: ['organizationId', 'templateId']},
    pickedUpBy: 'machineId',
    probe: {
      kind: 'template',
      read: 'selections.list',
      filters: {machineIdentifiers: 'machineId'},
      template: 'templates.selections',
      by: 'selectionNumber',
      sets: {
        productId: 'productId',
        price: 'price',
        invoicePrice: 'invoicePrice',
        depth: 'depth',
        commission: 'commission',
        tax: 'tax',
        restockTo: 'par',
      },
    },
    duplicateCode: null,
    boundsCode: 'GENERIC_ERROR',
    preimage: 'none',
    undo: {never: 'it applied a template; the selections as they were before are in its dry run only'},
    merge: 'none',
    repeatable: {when: 'always'},
    words: {verb: 'Apply the template to', ...nouns},
  },
} as const
