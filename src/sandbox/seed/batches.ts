import {millisecondsPerDay as day, toDateTime} from '../../values/date-time.js'
import {toLocalTime} from '../../values/zones.js'
import {toExternalId} from '../handlers/stock.js'
import {createDateTimePrinter} from '../store/dates.js'
import {insertion, type Store} from '../store/record-store.js'
import type {SeedMachine} from './fleet.js'
import {firstIds} from './parents.js'
import {pickInteger, type Random} from './random.js'
import {products} from './word-lists.js'

const seedDays = 120
/** Line items of a batch on average, so that the large world has exactly a million of them. */
const lineItemsPerBatch = 1_000_000 / 154_000
const firstInvoice = 9_007_199_254_740_993n

type Batch = {index: number; machine: SeedMachine; at: number}

/** The facts of a batch for its metadata. */
export type SeedBatch = {id: number; machine: SeedMachine; at: number; items: () => {id: number; soldAt: number}[]}

/** A listener to sales: every one since a moment, and each batch. */
export type Watch = {
  since: number
  onSold(machine: SeedMachine, product: number, quantity: number, at: number, soldAt: number): void
  onBatch(batch: SeedBatch): void
}

/** Milliseconds between the sale of a line item and the next one, or the end of its batch. */
const betweenItems = 7_000
const firstLineItem = 3_000_002

export const bookedColumns = ['id', 'json', 'organization_id', 'account_id', 'site_id', 'machine_id', 'local_at']
const insertBatch = insertion('batch', bookedColumns)

/**
 * Loads transaction batches over 120 days that end now, oldest first. Their JSON is written as text directly: a million
 * line items would be slow as objects, and prices keep their digits. Time is linear in line items, memory that of one
 * batch and the pages that the store keeps.
 */
export function loadBatches(
  store: Store,
  machines: SeedMachine[],
  {count, now, watch}: {count: number; now: number; watch: Watch},
  random: Random,
): void {
  if (machines.length === 0) return
  const step = (seedDays * day) / count
  const start = now - seedDays * day
  const toDateTime = createDateTimePrinter()
  let lineItems = 0
  for (let index = 0; index < count; index++) {
    const machine = machines[pickInteger(random, 0, machines.length - 1)]
    if (!machine) continue
    const at = Math.floor(start + (index + random()) * step)
    const items = countItems(index)
    const text = toText({index, machine, at}, {firstItem: lineItems, items, random, toDateTime, watch})
    const {organizationId, accountId, siteId, id, zone} = machine
    const batch = firstIds.batch + index
    store.change(insertBatch, batch, text, organizationId, accountId, siteId, id, toLocalTime(at, zone))
    const first = lineItems
    watch.onBatch({id: batch, machine, at, items: () => toItems(first, items, at)})
    lineItems += items
  }
}

function toItems(first: number, count: number, at: number): {id: number; soldAt: number}[] {
  return Array.from({length: count}, (_, index) => ({
    id: firstLineItem + first + index,
    soldAt: at - (count - index) * betweenItems,
  }))
}

/** 1 to 12 items. Every second batch has as many fewer as the one before it has more, so that the sum is exact. */
function countItems(index: number): number {
  const even = Math.floor((index + 1) * lineItemsPerBatch) - Math.floor(index * lineItemsPerBatch)
  const swing = (index >> 1) % 6
  return index % 2 === 0 ? even + swing : even - swing
}

/** A product sold once or twice in one batch: what is the same in every item, up to `vendOrder` and after it. */
type Sold = {cents: number; taxCents: number; first: string; rest: string}

const soldOnce = products.map((_, product) => toSold(product, 1))
const soldTwice = products.map((_, product) => toSold(product, 2))

function toSold(product: number, quantity: number): Sold {
  const [name, price, size] = products[product] ?? ['', '0.00', null]
  const cents = Math.round(Number(price) * 100) * quantity
  const taxCents = Math.round(cents * 0.101)
  return {
    cents,
    taxCents,
    first: `,"selection":"${String.fromCharCode(65 + (product % 6))}${product}","vendOrder":`,
    rest:
      `,"productId":${800 + product},"productName":${JSON.stringify(name)},` +
      `"productUpc":${product % 4 === 3 ? 'null' : `"00${50_123_450 + product}"`},"size":${JSON.stringify(size)},` +
      `"taxRate":10.10,"taxCharged":${toMoney(taxCents)},"commission":0.50,"quantity":${quantity},` +
      `"unitPrice":${price},"totalPrice":${toMoney(cents)},"vendWasSuccessful":`,
  }
}

type Loading = {
  firstItem: number
  items: number
  random: Random
  toDateTime: (milliseconds: number) => string
  watch: Watch
}

function toText({index, machine, at}: Batch, {firstItem, items, random, toDateTime, watch}: Loading): string {
  const recordedAt = toDateTime(at)
  const times = `,"recordedAtUtc":"${recordedAt}","occurredAtUtc":"`
  let lineItems = ''
  let cents = 0
  let taxCents = 0
  for (let order = 1; order <= items; order++) {
    const product = pickInteger(random, 0, products.length - 1)
    const quantity = (index + order) % 9 === 0 ? 2 : 1
    const sold = (quantity === 2 ? soldTwice : soldOnce)[product]
    if (!sold) continue
    cents += sold.cents
    taxCents += sold.taxCents
    const soldAt = at - (items - order + 1) * betweenItems
    const wasSuccessful = (index + order) % 97 !== 0
    if (wasSuccessful && at >= watch.since) watch.onSold(machine, product, quantity, at, soldAt)
    lineItems +=
      `${order === 1 ? '' : ','}{"id":${firstLineItem + firstItem + order - 1}${sold.first}${order}${sold.rest}` +
      `${wasSuccessful}${times}${toDateTime(soldAt)}",` +
      `"occurredAtLocalTime":"${toDateTime(toLocalTime(soldAt, machine.zone))}"}`
  }
  return (
    `{"id":"B${firstIds.batch + index}","recordedAtUtc":"${recordedAt}","siteId":${machine.siteId},` +
    `"siteExternalId":${JSON.stringify(toExternalId('S', machine.siteId))},` +
    `"siteName":${JSON.stringify(machine.siteName)},"machineId":${machine.id},` +
    `"machineExternalId":${JSON.stringify(toExternalId('M', machine.id))},` +
    `"machineName":${JSON.stringify(machine.name)},"machineModel":${JSON.stringify(machine.model)},` +
    `"totalPrice":${toMoney(cents)},"totalTax":${toMoney(taxCents)},"lineItems":[${lineItems}],` +
    `"paymentInformation":${toPayment(index)}}`
  )
}

function toMoney(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

function toPayment(index: number): string {
  const kind = index % 4
  if (kind === 0) return 'null'
  if (kind === 1) return '{"type":"C ","creditInformation":null,"accountInformation":null}'
  if (kind === 2) {
    const name = JSON.stringify(index % 8 === 2 ? 'Dalia "D" O\'Neale, junior' : 'H. Sato')
    const account = `{"accountNumber":"000${10_000 + (index % 900)}","nameOnAccount":${name}}`
    return `{"type":"A ","creditInformation":null,"accountInformation":${account}}`
  }
  const credit =
    `{"gateway":"Northgate","invoiceNumber":${firstInvoice + BigInt(index)},"cardToken":"tok_${index}",` +
    `"authorizationNumber":"0${index}","referenceNumber1":${index % 8 === 3 ? '"R-1"' : 'null'},` +
    `"referenceNumber2":null,"paymentStatus":"${index % 40 === 3 ? 'Voided' : 'Settled'}"}`
  return `{"type":"CC","creditInformation":${credit},"accountInformation":null}`
}

/** Tags and files of a batch and its line items. */
export function loadMetadata(store: Store, {id, machine, at, items}: SeedBatch): void {
  const recordedAtUtc = toDateTime(at)
  const tags = id % 15 === 0 ? [{id: 1, name: 'Refunded, "partly"'}] : []
  const lineItems = items().map(({id: lineItemId, soldAt}, index) => ({
    lineItemId,
    recordedAtUtc,
    occurredAtUtc: toDateTime(soldAt),
    occurredAtLocal: toDateTime(toLocalTime(soldAt, machine.zone)),
    tags: index === 0 ? tags : [],
    files: [],
  }))
  const files = id % 10 === 0 ? [{id: 90_000 + id, name: `receipt-${id}.jpg`}] : []
  const columns = {
    organization_id: machine.organizationId,
    account_id: machine.accountId,
    site_id: machine.siteId,
    machine_id: machine.id,
    local_at: at,
  }
  store.insert('metadata', id, {transactionId: `B${id}`, recordedAtUtc, tags, files, lineItems}, columns)
}
