import type {Sandbox} from '../../src/sandbox/server.js'

export type Adjustment = {
  id: string
  adjustmentOccurredAt: string
  machineId: string
  selection: string | number
  userId: number
}

type Given = {
  count: number
  /** Of the first and of the last one, in milliseconds since 1970. */
  from: number
  to: number
}

/** Leaves no other adjustments in a world than these: evenly spread over a time and over its machines. */
export function setAdjustments({store, add}: Sandbox, {count, from, to}: Given): Adjustment[] {
  const machines = (store.read('machine') as unknown as {id: number; siteId: number}[]).slice(0, 7)
  const records = Array.from({length: count}, (_, place) => {
    const machine = machines[place % machines.length]
    const at = new Date(Math.floor(from + ((to - from) * place) / Math.max(1, count - 1)))
    return {
      id: `B${1_000 + place}`,
      adjustmentOccurredAt: at
        .toISOString()
        .slice(0, -1)
        .replace(/\.000$/, ''),
      takeOccurredAt: at.toISOString().slice(0, 19),
      siteId: machine?.siteId ?? 0,
      siteExternalId: place % 5 === 0 ? null : `S-${place % 5}, "north"`,
      machineId: String(machine?.id),
      machineExternalId: null,
      selection: place % 2 === 0 ? 'A1' : place % 7 === 0 ? 12 : '0012', // also sent as a number
      productId: String(800 + (place % 30)),
      userId: place % 3 === 0 ? 12 : 0,
      externalUserIdentifier: place % 3 === 0 ? '=7' : null,
      adjustmentSize: place % 3 === 0 ? 10 : -1,
      newStockLevel: place % 12,
    }
  })
  store.transaction(() => {
    store.database.run('DELETE FROM adjustment')
    for (const record of records) add('adjustment', record)
  })
  return records
}
