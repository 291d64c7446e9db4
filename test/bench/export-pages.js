// Pages of the transaction report, all made before the first is asked for: about 6.5 lines for each of 2,000 batches.
export const batchesPerPage = 2_000
const pagesMade = 77
const products = [
  'Espresso ☕',
  'Crème caramel',
  'Apple juice, still',
  'Lemonade',
  'Rice crackers',
  'Bar "Nuts"',
  'Water',
]
const models = ['CD-9', 'CB-3, wide', 'HD-2']
const day = 86_400_000
/** How a batch begins, and where in it the digits of its id stand. */
const idStart = '{"id":"B'
const idPlace = idStart.length
const batchTime = 1_200
const first = Date.UTC(2026, 0, 2)

/** Makes what hands out page after page; beyond the last made page the same ones come again with ids of their own. */
export function createPages(pages) {
  const made = Array.from({length: Math.min(pages, pagesMade)}, (_, page) => Buffer.from(JSON.stringify(toPage(page))))
  const places = made.map(placesOfIds)
  return {whole, part, range: [toText(first), toText(first + batchTime * pages * batchesPerPage)]}

  function whole(page) {
    const round = Math.floor(page / made.length)
    const body = made[page % made.length]
    return round === 0 ? body : withIds(body, places[page % made.length], round)
  }

  /** A few batches from the one with this number on, as a page of another size holds them. */
  function part(first, count) {
    const last = Math.min(first + count, pages * batchesPerPage)
    const texts = Array.from({length: Math.max(0, last - first)}, (_, place) => batch(first + place))
    return Buffer.from(`[${texts.join(',')}]`)
  }

  function batch(number) {
    const page = Math.floor(number / batchesPerPage)
    const body = whole(page)
    const [start, next] = places[page % made.length].slice(number % batchesPerPage, (number % batchesPerPage) + 2)
    return body.subarray(start - idPlace, next === undefined ? body.length - 1 : next - idPlace - 1).toString()
  }
}

function toPage(page) {
  return Array.from({length: batchesPerPage}, (_, place) => toBatch(page * batchesPerPage + place))
}

function toBatch(number) {
  const at = first + (number % 2_000_000) * batchTime
  const lines = 1 + ((number * 7) % 12)
  return {
    id: `B000${String(number).padStart(7, '0')}`,
    recordedAtUtc: toText(at),
    siteId: 1_000 + (number % 40),
    siteExternalId: `S-0${1_000 + (number % 40)}`,
    siteName: 'Bridge Street',
    machineId: 5_000 + (number % 100),
    machineExternalId: number % 5 === 0 ? null : `M-00${5_000 + (number % 100)}`,
    machineName: `Cold drink ${number % 100}`,
    machineModel: models[number % models.length],
    totalPrice: lines * 1.25,
    totalTax: Math.round(lines * 12.5) / 100,
    lineItems: Array.from({length: lines}, (_, line) => toLine(number, line, at)),
    paymentInformation: number % 4 === 0 ? null : toPayment(number),
  }
}

function toLine(number, line, at) {
  const product = (number + line) % products.length
  return {
    id: 3_000_000 + number * 12 + line,
    selection: `${'ABCDEF'[line % 6]}${1 + (number % 9)}`,
    vendOrder: line + 1,
    productId: 800 + product,
    productName: products[product],
    productUpc: product % 3 === 0 ? null : `00501234${50 + product}`,
    size: product % 2 === 0 ? null : '330 ml',
    taxRate: 10.1,
    taxCharged: 0.12,
    commission: 0.5,
    quantity: 1 + (line % 2),
    unitPrice: 1.25,
    totalPrice: 1.25 * (1 + (line % 2)),
    vendWasSuccessful: number % 50 !== 0,
    recordedAtUtc: toText(at),
    occurredAtUtc: toText(at - 14_000 + line * 1_000),
    occurredAtLocalTime: toText(at - 14_000 + line * 1_000 + day / 2),
  }
}

function toPayment(number) {
  const creditInformation = {
    gateway: 'Northgate',
    invoiceNumber: 9_000_000_000 + number,
    cardToken: `tok_${number}`,
    authorizationNumber: String(number).padStart(6, '0'),
    referenceNumber1: 'R-1',
    referenceNumber2: null,
    paymentStatus: 'Settled',
  }
  const accountInformation = {accountNumber: `A-${number}`, nameOnAccount: 'Ada Miller'}
  return number % 4 === 1
    ? {type: 'A ', creditInformation: null, accountInformation}
    : {type: 'CC', creditInformation, accountInformation: null}
}

function placesOfIds(body) {
  const places = []
  for (let at = body.indexOf(idStart); at >= 0; at = body.indexOf(idStart, at + 1)) places.push(at + idPlace)
  return places
}

function withIds(body, places, round) {
  const copy = Buffer.from(body)
  const digits = String(round).padStart(3, '0')
  for (const at of places) copy.write(digits, at, 'latin1')
  return copy
}

function toText(milliseconds) {
  return new Date(milliseconds).toISOString().slice(0, -1)
}
