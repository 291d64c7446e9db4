import {toSelection} from '../../src/sandbox/handlers/write-selections.js'
import type {Sandbox} from '../../src/sandbox/server.js'
import type {JsonRecord} from '../../src/values/json.js'

/** What each of these selections holds, unless a test says otherwise. */
export const ordinary = {
  productId: 801,
  price: 1.5,
  invoicePrice: 0.75,
  restockTo: 10,
  depth: 12,
  count: 8,
  alertLevel: 2,
  restockAt: 4,
  freeCount: 0,
  tax: null,
  commission: 0,
} satisfies JsonRecord

/** Puts selections into machines of a sandbox, with numbers that no other has: T1, T2 and so on. Gives back their ids. */
export function addSelections({store}: Sandbox, count: number, differ: (place: number) => JsonRecord = () => ({})) {
  const machines = store.read('machine').map(({id}) => Number(id))
  return store.transaction(() =>
    Array.from({length: count}, (_, place) => {
      const id = store.nextId('selection')
      const machineId = machines[place % machines.length] ?? 0
      const given = {...ordinary, machineId, selectionNumber: `T${place + 1}`, ...differ(place)}
      store.insert('selection', id, toSelection(id, given, true))
      return id
    }),
  )
}

export function selection({store}: Sandbox, id: number): JsonRecord {
  return store.find('selection', id) ?? {}
}

/** Changes a selection as somebody else, or a sale, does. */
export function alter({store}: Sandbox, id: number, changes: JsonRecord): void {
  store.update('selection', id, {...store.find('selection', id), ...changes})
}
