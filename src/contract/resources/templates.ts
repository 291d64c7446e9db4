import type {Fields, Row} from '../base/grammar.js'
import {ofWrites} from '../base/refusals.js'
import {dateTime, decimal, integer, ordinary, read, reading, text, whatIsWrong, writing} from '../base/rows.js'

/** [dec] An open record: the documentation shows no fields. */
const template = {
  id: integer(read, 'Identifies the template.'),
  name: text(read, 'Name of the template.'),
} as const satisfies Fields

/** [pub] One selection as a template sets it. */
const templateSelection = {
  id: integer(read, 'Identifies the selection of the template.'),
  templateId: integer(read, 'Template it belongs to.', {refersTo: 'template'}),
  variantId: integer(read, 'Variant of the template.', {nullable: true}),
  selectionNumber: text(read, 'Selection number that it sets.', {orNumber: true}),
  productId: integer(read, 'Product that it sets.', {refersTo: 'product'}),
  price: decimal(read, 'Price that it sets.'),
  invoicePrice: decimal(read, 'Price on invoices that it sets.'),
  createdAt: dateTime(read, 'When it was created.'),
  par: integer(read, 'Stock after a restock that it sets.'),
  depth: integer(read, 'How many fit in.'),
  commission: decimal(read, 'Commission that it sets.'),
  tax: decimal(read, 'Tax that it sets.', {nullable: true}),
  customData1: text(read, 'First fact of your own.', {nullable: true, maxLength: 50}),
  customData2: text(read, 'Second fact of your own.', {nullable: true, maxLength: 50}),
  customData3: text(read, 'Third fact of your own.', {nullable: true, maxLength: 50}),
  customData4: text(read, 'Fourth fact of your own.', {nullable: true, maxLength: 50}),
  customData5: text(read, 'Fifth fact of your own.', {nullable: true, maxLength: 50}),
} as const satisfies Fields

/** [pub] A machine that a template is applied to; the request names both by filters. */
const templateApplication = {
  machineId: integer(['update'], 'Machine that the template is applied to.', {
    refersTo: 'machine',
    required: ['update'],
    min: 1,
  }),
  organizationId: integer(['update'], 'Organization of the machine; one request takes machines of one.', {
    refersTo: 'organization',
    required: ['update'],
  }),
  templateId: integer(['update'], 'Template that is applied.', {refersTo: 'template', required: ['update'], min: 1}),
} as const satisfies Fields

export const fields = {template, templateSelection, templateApplication} as const satisfies Record<string, Fields>

export const operations = {
  'templates.list': {
    ...reading,
    path: '/templates', // [3rd]
    unconfirmed: ['its path', 'its fields'],
    resource: 'template',
    about: 'List templates.',
    next: {
      'templates selections --template ID': 'what a template sets',
      'templates apply --template ID --machine ID --dry-run': 'what it would change',
      ...whatIsWrong,
    },
    filters: {organizationIds: []},
  },
  'templates.selections': {
    ...reading,
    path: '/template-selections', // route [3rd]
    unconfirmed: ['its path'],
    resource: 'templateSelection',
    about: 'List what templates set: product, price and levels of each selection.',
    next: {'templates apply --template ID --machine ID --dry-run': 'what it would change', ...whatIsWrong},
    filters: {templateIds: ['templateId']},
  },
  'templates.apply': {
    ...writing,
    verb: 'POST',
    path: '/templates/apply', // [pub]
    resource: 'templateApplication',
    body: 'none',
    filters: {machineIdentifiers: [], templateIds: []},
    refuses: [...ofWrites, 'NO_SELECTIONS', 'MULTIPLE_TEMPLATES'],
    about: 'Apply a template to machines.',
    next: {'machines list --where hasPlanogramChange=true': 'machines that have not picked up the change'},
  },
} as const satisfies Record<string, Row>

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
    preimage: 'none',
    undo: {never: 'it applied a template; the selections as they were before are in its dry run only'},
    repeatable: {when: 'always'},
    words: {verb: 'Apply the template to', ...nouns},
  },
} as const
