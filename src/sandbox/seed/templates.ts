import {toDateTime} from '../../values/date-time.js'
import {type JsonRecord, toNumber} from '../../values/json.js'
import {textOf} from '../stock.js'
import type {Store} from '../store/store.js'
import {products} from './names.js'
import {firstIds} from './parents.js'
import {toNumberOf} from './selections.js'

const day = 86_400_000

/** The first one holds no selections; the second, 412, and all others do. One for each organization, two for the first. */
const names = ['Blank', 'Summer, "north"', 'Winter', 'Schools', 'Stations', 'Museums']

/** What is sold, to everybody: the products of batches. */
export function loadProducts(store: Store): void {
  for (const [index, [name]] of products.entries()) {
    store.insert('product', 800 + index, {id: 800 + index, name}, {})
  }
}

export function loadTemplates(store: Store, now: number): void {
  let id = firstIds.templateSelection
  for (const [index, name] of names.entries()) {
    const template = firstIds.template + index
    const organizationId = firstIds.organization + Math.max(0, index - 1)
    store.insert('template', template, {id: template, name}, {organization_id: organizationId})
    if (index === 0) continue
    for (const selection of toSelections(template, now)) {
      const columns = {
        organization_id: organizationId,
        template_id: template,
        number: textOf(selection['selectionNumber']),
      }
      store.insert('template_selection', id, {id, ...selection}, columns)
      id += 1
    }
  }
}

/** The places that batches sell from, at higher prices, and two that no machine has yet; one is named by a number. */
function toSelections(templateId: number, now: number): JsonRecord[] {
  const numbers = [...products.keys()].map(toNumberOf)
  return [...numbers, 'T1', 412].map((selectionNumber, place) => ({
    templateId,
    variantId: place % 5 === 0 ? null : 1,
    selectionNumber,
    productId: 800 + (place % products.length),
    price: toNumber(`${2 + (place % 3)}.${place % 2 === 0 ? '10' : '95'}`),
    invoicePrice: toNumber('0.80'),
    createdAt: toDateTime(now - 40 * day),
    par: 10,
    depth: 14,
    commission: toNumber('0.50'),
    tax: place % 4 === 3 ? null : toNumber('10.10'),
    customData1: place === 0 ? 'top, left' : null,
    customData2: null,
    customData3: null,
    customData4: null,
    customData5: null,
  }))
}
