import type {Store} from '../store/store.js'
import type {SeedMachine} from './machines.js'
import {products} from './names.js'
import {firstIds} from './parents.js'

/** Places of each machine. The first are those that batches sell from. */
const places = 30

/** How a place of a machine is stocked; all machines are stocked alike. */
export type Place = {
  number: string
  productId: number | null
  depth: number
  restockTo: number
  restockAt: number
  text: string
}

/** A0, B1, C2 and so on, as batches name what they sold. */
export function toNumberOf(place: number): string {
  return `${String.fromCharCode(65 + (place % 6))}${place}`
}

/** Two of them sell nothing: product -1, and none at all. */
export const shelf: readonly Place[] = Array.from({length: places}, (_, place) => {
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

const columns = ['id', 'json', 'organization_id', 'machine_id', 'number']
const row = `(${columns.map(() => '?').join(', ')})`
/** All places of a machine at once, which is faster. */
const insertion = `INSERT INTO selection (${columns.join(', ')}) VALUES ${shelf.map(() => row).join(', ')}`

/** The selections of every machine; `countOf` says what is left at each place. */
export function loadSelections(
  store: Store,
  machines: SeedMachine[],
  countOf: (machine: SeedMachine, place: number) => number,
): void {
  for (const machine of machines) {
    const first = firstIds.selection + (machine.id - firstIds.machine) * places
    const rows = shelf.flatMap(({number, text}, place) => {
      const json = `{"id":${first + place},"machineId":${machine.id},${text},"count":${countOf(machine, place)}}`
      return [first + place, json, machine.organizationId, machine.id, number]
    })
    store.change(insertion, ...rows)
  }
}
