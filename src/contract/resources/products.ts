import type {Fields, Route} from '../base/grammar.js'
import {ofReads} from '../base/refusals.js'
import {read, whatIsWrong} from '../base/uses.js'

/** [dec] An open record: the documentation shows no fields. */
const product = {
  id: {kind: 'integer', uses: read, about: 'Identifies the product.'},
  name: {kind: 'text', uses: read, about: 'Name of the product.'},
} as const satisfies Fields

export const fields = {product} as const satisfies Record<string, Fields>

export const operations = {
  'products.list': {
    kind: 'read',
    verb: 'GET',
    path: '/products',
    since: 'v2',
    command: 'products list', // [3rd]
    unconfirmed: ['its path', 'its fields'],
    resource: 'product',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List products.',
    next: [["selections list --where 'productId=ID'", 'where a product is sold'], whatIsWrong],
    filters: {organizationIds: {matches: []}, productIds: {matches: ['id']}},
  },
} as const satisfies Record<string, Route>
