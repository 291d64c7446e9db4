import type {Fields, Row} from '../base/grammar.js'
import {ofWrites} from '../base/refusals.js'
import {
  boolean,
  decimal,
  everywhere,
  integer,
  ordinary,
  read,
  reading,
  sent,
  text,
  whatIsWrong,
  writing,
} from '../base/rows.js'

/** [pub] What a machine sells at one place: product, price and stock. */
const selection = {
  id: integer(['read', 'update', 'delete'], 'Identifies the selection.', {required: ['update', 'delete']}),
  machineId: integer(everywhere, 'Machine it belongs to.', {refersTo: 'machine', required: sent, min: 1}),
  selectionNumber: text(everywhere, 'What a customer enters; unique in its machine.', {
    required: sent,
    orNumber: true,
    example: 'A1',
  }),
  friendlyNumber: text(read, 'The number as people write it.'),
  productId: integer(everywhere, 'Product that is sold; -1 for none.', {
    refersTo: 'product',
    nullable: true,
    min: -1,
    except: [0],
    example: 801,
  }),
  price: decimal(everywhere, 'Price of one.', {required: sent, above: 0, example: 1.5}),
  invoicePrice: decimal(everywhere, 'Price on invoices.', {required: sent, min: 0, example: 0.75}),
  restockTo: integer(everywhere, 'Stock after a restock.', {required: sent, min: 0, example: 10}),
  depth: integer(everywhere, 'How many fit in.', {required: sent, min: 0, example: 12}),
  // Where a file for an update has no count, the one that was just read is sent.
  count: integer(everywhere, 'Stock; another count is written as an inventory adjustment.', {
    required: ['create'],
    min: 0,
    example: 8,
  }),
  isActive: boolean(read, 'Whether the selection is in use; set by the service.'),
  alertLevel: integer(everywhere, 'Stock at which an alert is raised.', {nullable: true, min: 0, example: 2}),
  restockAt: integer(everywhere, 'Stock at which a restock is due.', {nullable: true, min: 0, example: 4}),
  freeCount: integer(everywhere, 'How many are free.', {required: sent, min: 0, example: 0}),
  tax: decimal(everywhere, 'Tax in percent.', {nullable: true, example: 7.5}),
  commission: decimal(everywhere, 'Commission.', {required: sent, min: 0, example: 0.5}),
} as const satisfies Fields

/** [pub] A change of stock by a difference. */
const stockChange = {
  selectionId: integer(['update'], 'Selection whose stock changes.', {
    refersTo: 'selection',
    required: ['update'],
    min: 1,
  }),
  delta: integer(['update'], 'By how many; negative takes out.', {required: ['update'], except: [0], example: 5}),
} as const satisfies Fields

export const fields = {selection, stockChange} as const satisfies Record<string, Fields>

export const operations = {
  'selections.list': {
    ...reading,
    path: '/selections', // route [3rd]
    unconfirmed: ['its path'],
    resource: 'selection',
    about: 'List selections: product, price and stock of each place of a machine.',
    next: {
      'selections update --file FILE': 'send an edited list back',
      'selections adjust --file FILE': 'change stock by a difference',
      ...whatIsWrong,
    },
    filters: {
      organizationIds: [],
      accountIds: [],
      siteIds: [],
      machineIdentifiers: ['machineId'],
      selectionIds: ['id'],
      includeDeleted: [],
    },
  },
  'selections.create': {
    ...writing,
    verb: 'PUT',
    path: '/selections', // [3rd]
    unconfirmed: ['its path'],
    resource: 'selection',
    body: 'create',
    refuses: [...ofWrites, 'SELECTION_VALIDATION'],
    about: 'Create selections from a file, or one with --set.',
  },
  'selections.update': {
    ...writing,
    verb: 'PATCH',
    path: '/selections', // [pub]
    unconfirmed: ['that a field left out becomes null'], // [dec]
    resource: 'selection',
    body: 'update',
    refuses: [...ofWrites, 'SELECTION_VALIDATION'],
    about: 'Update selections: prices, products, levels.',
    next: {'machines list --where hasPlanogramChange=true': 'machines that have not picked up the change'},
  },
  'selections.delete': {
    ...writing,
    verb: 'DELETE',
    path: '/selections', // [3rd]
    unconfirmed: ['its path'],
    resource: 'selection',
    body: 'delete',
    about: 'Delete selections: from a file, by id, or those that filters choose.',
  },
  'selections.adjust': {
    ...writing,
    verb: 'POST',
    path: '/selections/apply-delta', // [pub]
    resource: 'stockChange',
    body: 'update',
    refuses: [...ofWrites, 'SELECTION_VALIDATION'],
    about: 'Change stock by a difference: from a file, by id, or of those that filters choose.',
    next: {'reports inventory': 'every change of stock'},
  },
} as const satisfies Record<string, Row>

const nouns = {noun: 'selection', nouns: 'selections'} as const

export const policies = {
  'selections.create': {
    ...ordinary,
    identity: ['machineId', 'selectionNumber'],
    answer: 'ids',
    pickedUpBy: 'machineId',
    live: ['count'],
    probe: {kind: 'identity', read: 'selections.list', filters: {machineIdentifiers: 'machineId'}},
    duplicateCode: 'SELECTION_VALIDATION',
    boundsCode: 'SELECTION_VALIDATION',
    preimage: 'ids',
    undo: {by: 'selections.delete'},
    words: {verb: 'Create', ...nouns},
  },
  'selections.update': {
    ...ordinary,
    answer: 'records',
    pickedUpBy: 'machineId',
    live: ['count'],
    totals: 'price',
    probe: {kind: 'fields', read: 'selections.list', compares: 'given'},
    boundsCode: 'SELECTION_VALIDATION',
    undo: {by: 'selections.update'},
    creates: 'selections.create',
    merge: 'full-replace',
    words: {verb: 'Update', ...nouns},
  },
  'selections.delete': {
    ...ordinary,
    answer: 'nothing',
    deletes: 'all',
    probe: {kind: 'gone', read: 'selections.list', flag: 'isActive'},
    duplicateCode: 'MISSING_RECORD',
    undo: {never: 'it deleted selections, and the service has no route that brings them back'},
    repeatable: {when: 'always'},
    words: {verb: 'Delete', ...nouns},
  },
  'selections.adjust': {
    ...ordinary,
    identity: ['selectionId'],
    target: 'selectionId',
    answer: 'records',
    probe: {
      kind: 'adjustments',
      read: 'selections.list',
      trace: 'reports.inventory',
      traced: {
        filters: {machineIdentifiers: 'machineId'},
        of: {machineId: 'machineId', selection: 'selectionNumber'},
        size: 'adjustmentSize',
        person: 'userId',
      },
    },
    difference: {by: 'delta', field: 'count', most: 'depth'},
    boundsCode: 'SELECTION_VALIDATION',
    undo: {by: 'selections.adjust'},
    words: {verb: 'Adjust', noun: 'stock count', nouns: 'stock counts'},
  },
} as const
