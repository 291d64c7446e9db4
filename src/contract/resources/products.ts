import type {Fields, Row} from '../base/grammar.js'
import {integer, read, reading, text, whatIsWrong} from '../base/rows.js'

/** [dec] An open record: the documentation shows no fields. */
const product = {
  id: integer(read, 'Identifies the product.'),
  name: text(read, 'Name of the product.'),
} as const satisfies Fields

export const fields = {product} as const satisfies Record<string, Fields>

export const operations = {
  'products.list': {
    ...reading,
    path: '/products', // [3rd]
    unconfirmed: ['its path', 'its fields'],
    resource: 'product',
    about: 'List products.',
    next: {"selections list --where 'productId=ID'": 'where a product is sold', ...whatIsWrong},
    filters: {organizationIds: [], productIds: ['id']},
  },
} as const satisfies Record<string, Row>
