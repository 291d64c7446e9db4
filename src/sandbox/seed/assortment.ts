import {millisecondsPerDay as day, toDateTime} from '../../values/date-time.js'
import {type JsonRecord, toNumber} from '../../values/json.js'
import {toExternalId} from '../handlers/stock.js'
import {createDateTimePrinter} from '../store/dates.js'
import {insertion, type Store} from '../store/record-store.js'
import {bookedColumns, type Watch} from './batches.js'
import type {SeedMachine} from './fleet.js'
import {firstIds} from './parents.js'
import {products} from './word-lists.js'

/** Places of each machine. The first are those that batches sell from. */
const places = 30

/** The stock of a place of a machine; all machines are stocked alike. */
export type Place = {
  number: string
  productId: number | null
  depth: number
  restockTo: number
  restockAt: number
  text: string
}

/** A0, B1, C2 and so on, as batches name what they sold. */
function toNumberOf(place: number): string {
  return `${String.fromCharCode(65 + (place % 6))}${place}`
}

/** The places of every machine; two sell nothing: one has product -1, one no product. */
const shelf: readonly Place[] = Array.from({length: places}, (_, place) => {
  const product = place % products.length
  const number = place === places - 3 ? '007' : toNumberOf(place)
  const productId = place === places - 2 ? -1 : place === places - 1 ? null : 800 + product
  const depth = 10 + (place % 3) * 2
  const [restockTo, restockAt, alertLevel] = [depth - 2, 4, place % 5 === 4 ? null : 2]
  const text =
    `"selectionNumber":"${number}","friendlyNumber":"${number}","productId":${productId},` +
    `"price":${products[product]?.[1] ?? '1.00'},"invoicePrice":0.${50 + place},"restockTo":${restockTo},` +
    `"depth":${depth},"isActive":true,"alertLevel":${alertLevel},"restockAt":${restockAt},"freeCount":0,` +
    `"tax":${place % 4 === 3 ? 'null' : '10.10'},"commission":0.50`
  return {number, productId, depth, restockTo, restockAt, text}
})

/** Adds all places of a machine in one statement, which is faster. */
const insertSelection = insertion('selection', ['id', 'json', 'organization_id', 'machine_id', 'number'], places)

/** The goods of the world: products, the selections of machines, and templates of them. */
export function loadAssortment(store: Store, machines: SeedMachine[], now: number, {countOf}: Stock): void {
  loadProducts(store)
  loadSelections(store, machines, countOf)
  loadTemplates(store, now)
}

/** The selections of every machine; `countOf` tells the stock of each place. */
function loadSelections(store: Store, machines: SeedMachine[], countOf: Stock['countOf']): void {
  for (const machine of machines) {
    const first = firstIds.selection + (machine.id - firstIds.machine) * places
    const rows = shelf.flatMap(({number, text}, place) => {
      const json = `{"id":${first + place},"machineId":${machine.id},${text},"count":${countOf(machine, place)}}`
      return [first + place, json, machine.organizationId, machine.id, number]
    })
    store.change(insertSelection, ...rows)
  }
}

/** Templates: two of the first organization, of which the first has no selections, and one of each other one. */
const templateNames = ['Blank', 'Summer, "north"', 'Winter', 'Schools', 'Stations', 'Museums']

function loadProducts(store: Store): void {
  for (const [index, [name]] of products.entries()) store.insert('product', 800 + index, {id: 800 + index, name})
}

function loadTemplates(store: Store, now: number): void {
  let id = firstIds.templateSelection
  for (const [index, name] of templateNames.entries()) {
    const template = firstIds.template + index
    const organizationId = firstIds.organization + Math.max(0, index - 1)
    store.insert('template', template, {id: template, name}, {organization_id: organizationId})
    if (index === 0) continue
    for (const selection of toSelections(template, now)) {
      store.insert('template_selection', id, {id, ...selection})
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

const insertAdjustment = insertion('adjustment', bookedColumns)

/** People who restock; those who ask the service have lower ids. */
const restockers = [11, 12, 13, 14]

export type Stock = Pick<Watch, 'since' | 'onSold'> & {
  /** The stock of a place. */
  countOf(machine: SeedMachine, place: number): number
}

/**
 * Follows the sales since a moment: each takes from its place and writes an adjustment, and a person fills a place up
 * that has too little. The last adjustment of a place thus says its count.
 */
export function createStock(store: Store, machines: SeedMachine[], since: number): Stock {
  const toDateTime = createDateTimePrinter()
  const counts = new Map(
    machines.map(({id}) => [id, shelf.map(({restockTo}, place) => restockTo - ((id + place) % 4))]),
  )
  const countOf: Stock['countOf'] = ({id}, place) => counts.get(id)?.[place] ?? 0
  let next = firstIds.adjustment
  return {
    since,
    countOf,
    onSold(machine, place, quantity, at, soldAt) {
      const left = countOf(machine, place)
      const restockTo = shelf[place]?.restockTo ?? 0
      const userId = restockers[machine.id % restockers.length] ?? 0
      if (left < quantity) change(machine, place, restockTo - left, {at, soldAt: at, userId})
      change(machine, place, -quantity, {at, soldAt, userId: 0})
    },
  }

  function change(machine: SeedMachine, place: number, size: number, by: {at: number; soldAt: number; userId: number}) {
    const {id, siteId, organizationId, accountId} = machine
    const {at, soldAt, userId} = by
    const level = countOf(machine, place) + size
    const levels = counts.get(id)
    if (levels) levels[place] = level
    const json =
      `{"id":"B${next}","adjustmentOccurredAt":"${toDateTime(at)}","takeOccurredAt":"${toDateTime(soldAt)}",` +
      `"siteId":${siteId},"siteExternalId":${JSON.stringify(toExternalId('S', siteId))},"machineId":"${id}",` +
      `"machineExternalId":${JSON.stringify(toExternalId('M', id))},"selection":"${shelf[place]?.number}",` +
      `"productId":"${shelf[place]?.productId}","userId":${userId},` +
      `"externalUserIdentifier":${userId === 0 ? 'null' : `"U-${userId}"`},"adjustmentSize":${size},` +
      `"newStockLevel":${level}}`
    store.change(insertAdjustment, next, json, organizationId, accountId, siteId, id, at)
    next += 1
  }
}
