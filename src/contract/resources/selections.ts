import type {Fields, Route} from '../base/grammar.js'
import {ofReads, ofWrites} from '../base/refusals.js'
import {everywhere, ordinary, read, sent, whatIsWrong} from '../base/uses.js'

/** [pub] What a machine sells at one place: product, price and stock. */
const selection = {
  id: {
    kind: 'integer',
    uses: ['read', 'update', 'delete'],
    required: ['update', 'delete'],
    about: 'Identifies the selection.',
  },
  machineId: {
    kind: 'integer',
    uses: everywhere,
    refersTo: 'machine',
    required: sent,
    min: 1,
    about: 'Machine it belongs to.',
  },
  selectionNumber: {
    kind: 'text',
    uses: everywhere,
    required: sent,
    orNumber: true,
    example: 'A1',
    about: 'What a customer enters; unique in its machine.',
  },
  friendlyNumber: {kind: 'text', uses: read, about: 'The number as people write it.'},
  productId: {
    kind: 'integer',
    uses: everywhere,
    refersTo: 'product',
    nullable: true,
    min: -1,
    except: [0],
    example: 801,
    about: 'Product that is sold; -1 for none.',
  },
  price: {kind: 'decimal', uses: everywhere, required: sent, above: 0, example: 1.5, about: 'Price of one.'},
  invoicePrice: {kind: 'decimal', uses: everywhere, required: sent, min: 0, example: 0.75, about: 'Price on invoices.'},
  restockTo: {kind: 'integer', uses: everywhere, required: sent, min: 0, example: 10, about: 'Stock after a restock.'},
  depth: {kind: 'integer', uses: everywhere, required: sent, min: 0, example: 12, about: 'How many fit in.'},
  count: {
    kind: 'integer',
    uses: everywhere,
    required: ['create'], // of an update, what was just read is sent where the file has none
    min: 0,
    example: 8,
    about: 'Stock; another count is written as an inventory adjustment.',
  },
  isActive: {kind: 'boolean', uses: read, about: 'Whether the selection is in use; set by the service.'},
  alertLevel: {
    kind: 'integer',
    uses: everywhere,
    nullable: true,
    min: 0,
    example: 2,
    about: 'Stock at which an alert is raised.',
  },
  restockAt: {
    kind: 'integer',
    uses: everywhere,
    nullable: true,
    min: 0,
    example: 4,
    about: 'Stock at which a restock is due.',
  },
  freeCount: {kind: 'integer', uses: everywhere, required: sent, min: 0, example: 0, about: 'How many are free.'},
  tax: {kind: 'decimal', uses: everywhere, nullable: true, example: 7.5, about: 'Tax in percent.'},
  commission: {kind: 'decimal', uses: everywhere, required: sent, min: 0, example: 0.5, about: 'Commission.'},
} as const satisfies Fields

/** [pub] A change of stock by a difference. */
const stockChange = {
  selectionId: {
    kind: 'integer',
    uses: ['update'],
    refersTo: 'selection',
    required: ['update'],
    min: 1,
    about: 'Selection whose stock changes.',
  },
  delta: {
    kind: 'integer',
    uses: ['update'],
    required: ['update'],
    except: [0],
    example: 5,
    about: 'By how many; negative takes out.',
  },
} as const satisfies Fields

export const fields = {selection, stockChange} as const satisfies Record<string, Fields>

export const operations = {
  'selections.list': {
    kind: 'read',
    verb: 'GET',
    path: '/selections',
    since: 'v2',
    command: 'selections list', // route [3rd]
    unconfirmed: ['its path'],
    resource: 'selection',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List selections: product, price and stock of each place of a machine.',
    next: [
      ['selections update --file FILE', 'send an edited list back'],
      ['selections adjust --file FILE', 'change stock by a difference'],
      whatIsWrong,
    ],
    filters: {
      organizationIds: {matches: []},
      accountIds: {matches: []},
      siteIds: {matches: []},
      machineIdentifiers: {matches: ['machineId']},
      selectionIds: {matches: ['id']},
      includeDeleted: {matches: []},
    },
  },
  'selections.create': {
    kind: 'write',
    verb: 'PUT',
    path: '/selections',
    since: 'v2',
    command: 'selections create', // [3rd]
    unconfirmed: ['its path'],
    resource: 'selection',
    body: 'create',
    filters: {},
    refuses: [...ofWrites, 'SELECTION_VALIDATION'],
    about: 'Create selections from a file.',
    next: [],
  },
  'selections.update': {
    kind: 'write',
    verb: 'PATCH',
    path: '/selections',
    since: 'v2',
    command: 'selections update', // [pub]
    unconfirmed: ['that a field left out becomes null'], // [dec]
    resource: 'selection',
    body: 'update',
    filters: {},
    refuses: [...ofWrites, 'SELECTION_VALIDATION'],
    about: 'Update selections from a file: prices, products, levels.',
    next: [['machines list --where hasPlanogramChange=true', 'machines that have not picked up the change']],
  },
  'selections.delete': {
    kind: 'write',
    verb: 'DELETE',
    path: '/selections',
    since: 'v2',
    command: 'selections delete', // [3rd]
    unconfirmed: ['its path'],
    resource: 'selection',
    body: 'delete',
    filters: {},
    refuses: ofWrites,
    about: 'Delete selections that a file names.',
    next: [],
  },
  'selections.adjust': {
    kind: 'write',
    verb: 'POST',
    path: '/selections/apply-delta',
    since: 'v2',
    command: 'selections adjust', // [pub]
    resource: 'stockChange',
    body: 'update',
    filters: {},
    refuses: [...ofWrites, 'SELECTION_VALIDATION'],
    about: 'Change stock by a difference, from a file.',
    next: [['reports inventory', 'every change of stock']],
  },
} as const satisfies Record<string, Route>

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
    merge: 'none',
    repeatable: {when: 'settled'},
    words: {verb: 'Create', ...nouns},
  },
  'selections.update': {
    ...ordinary,
    identity: ['id'],
    answer: 'records',
    pickedUpBy: 'machineId',
    live: ['count'],
    totals: 'price',
    probe: {kind: 'fields', read: 'selections.list', compares: 'given'},
    duplicateCode: null,
    boundsCode: 'SELECTION_VALIDATION',
    preimage: 'records',
    undo: {by: 'selections.update'},
    merge: 'full-replace',
    repeatable: {when: 'settled'},
    words: {verb: 'Update', ...nouns},
  },
  'selections.delete': {
    ...ordinary,
    identity: ['id'],
    answer: 'nothing',
    deletes: 'all',
    probe: {kind: 'gone', read: 'selections.list', flag: 'isActive'},
    duplicateCode: 'MISSING_RECORD',
    boundsCode: 'GENERIC_ERROR',
    preimage: 'records',
    undo: {never: 'it deleted selections, and the service has no route that brings them back'},
    merge: 'none',
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
    duplicateCode: null,
    boundsCode: 'SELECTION_VALIDATION',
    preimage: 'records',
    undo: {by: 'selections.adjust'},
    merge: 'none',
    repeatable: {when: 'settled'},
    words: {verb: 'Adjust', noun: 'stock count', nouns: 'stock counts'},
  },
} as const
