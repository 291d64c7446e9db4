import {toLocalTime} from '../../values/zones.js'
import {toDateTime} from '../dates.js'
import {pickInteger, type Random} from '../random.js'
import type {Store} from '../store/store.js'
import type {SeedMachine} from './machines.js'
import {products} from './names.js'
import {firstIds} from './parents.js'

const day = 86_400_000
const seedDays = 120
/** The large world: exactly a million line items. */
const lineItemsPerBatch = 1_000_000 / 154_000
const firstInvoice = 9_007_199_254_740_993n

type Batch = {index: number; machine: SeedMachine; at: number}

/**
 * Loads transaction batches over 120 days that end now, oldest first. Their JSON is written as text directly: a million
 * line items would be slow as objects, and prices keep their digits.
 */
export function loadBatches(store: Store, machines: SeedMachine[], count: number, now: number, random: Random): void {
  if (machines.length === 0) return
  const step = (seedDays * day) / count
  const start = now - seedDays * day
  let lineItems = 0
  for (let index = 0; index < count; index++) {
    const machine = machines[pickInteger(random, 0, machines.length - 1)]
    if (!machine) continue
    const batch = {index, machine, at: Math.floor(start + (index + random()) * step)}
    const items = countItems(index)
    store.load('batch', firstIds.batch + index, toText(batch, lineItems, items, random), {
      organization_id: machine.organizationId,
      account_id: machine.accountId,
      site_id: machine.siteId,
      machine_id: machine.id,
      local_at: toLocalTime(batch.at, machine.zone),
    })
    lineItems += items
  }
}

/** 1 to 12 items; an odd batch has as many fewer as the even one before it has more, so that the sum is exact. */
function countItems(index: number): number {
  const even = Math.floor((index + 1) * lineItemsPerBatch) - Math.floor(index * lineItemsPerBatch)
  const swing = (index >> 1) % 6
  return index % 2 === 0 ? even + swing : even - swing
}

function toText({index, machine, at}: Batch, firstItem: number, items: number, random: Random): string {
  const recordedAt = toDateTime(at)
  const texts: string[] = []
  let cents = 0
  let taxCents = 0
  for (let order = 1; order <= items; order++) {
    const product = pickInteger(random, 0, products.length - 1)
    const [name, price, size] = products[product] ?? ['', '0.00', null]
    const quantity = (index + order) % 9 === 0 ? 2 : 1
    const total = Math.round(Number(price) * 100) * quantity
    const tax = Math.round(total * 0.101)
    cents += total
    taxCents += tax
    const soldAt = at - (items - order + 1) * 7_000
    texts.push(
      `{"id":${3_000_001 + firstItem + order},"selection":"${String.fromCharCode(65 + (product % 6))}${product}",` +
        `"vendOrder":${order},"productId":${800 + product},"productName":${JSON.stringify(name)},` +
        `"productUpc":${product % 4 === 3 ? 'null' : `"00${50_123_450 + product}"`},"size":${JSON.stringify(size)},` +
        `"taxRate":10.10,"taxCharged":${toMoney(tax)},"commission":0.50,"quantity":${quantity},` +
        `"unitPrice":${price},"totalPrice":${toMoney(total)},"vendWasSuccessful":${(index + order) % 97 !== 0},` +
        `"recordedAtUtc":"${recordedAt}","occurredAtUtc":"${toDateTime(soldAt)}",` +
        `"occurredAtLocalTime":"${toDateTime(toLocalTime(soldAt, machine.zone))}"}`,
    )
  }
  return (
    `{"id":"B${firstIds.batch + index}","recordedAtUtc":"${recordedAt}","siteId":${machine.siteId},` +
    `"siteExternalId":${machine.siteId % 3 === 0 ? 'null' : `"S-0${machine.siteId}"`},` +
    `"siteName":${JSON.stringify(machine.siteName)},"machineId":${machine.id},` +
    `"machineExternalId":${machine.id % 5 === 0 ? 'null' : `"M-00${machine.id}"`},` +
    `"machineName":${JSON.stringify(machine.name)},"machineModel":${JSON.stringify(machine.model)},` +
    `"totalPrice":${toMoney(cents)},"totalTax":${toMoney(taxCents)},"lineItems":[${texts.join(',')}],` +
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
