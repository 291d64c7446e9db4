import type {Store} from '../store/record-store.js'
import {loadAlertCodes, loadAlerts} from './alert-history.js'
import {createStock, loadAssortment} from './assortment.js'
import {loadBatches, loadMetadata, type SeedBatch} from './batches.js'
import {loadMachines, loadSettings} from './fleet.js'
import {firstIds, globalChargeKey, loadAccounts, loadOrganizations, loadSites} from './parents.js'
import {loadPeople} from './people.js'
import {createRandom} from './random.js'

export type WorldOptions = {
  world: 'seeded' | 'empty'
  scale: 'small' | 'large'
  seed: number
  batches: number | undefined
  machines: number | undefined
  /** The world ends here: milliseconds since 1970, UTC. */
  now: number
}

const batchesOf = {small: 6_000, large: 154_000}
const machinesOf = {small: 300, large: 3_000}
/** Changes of stock are kept for the last days only: a large world sells 8,000 things a day. */
const stockDaysOf = {small: 31, large: 3}
/** One batch of this many has metadata. */
const metadataOf = {small: 5, large: 100}
const day = 86_400_000

/** The organizations that the second API key is bound to. */
export const limitedOrganizations = [firstIds.organization, firstIds.organization + 1]

export {globalChargeKey}

/**
 * Fills an empty store with a world that is the same for the same options. Time: linear in its records; memory: the
 * machines, and the pages that the store keeps.
 */
export function loadWorld(store: Store, options: WorldOptions): void {
  const {world, scale, seed, now, batches = batchesOf[scale], machines: machineCount = machinesOf[scale]} = options
  const random = createRandom(seed)
  store.transaction(() => {
    if (world === 'empty') return
    loadOrganizations(store)
    loadAccounts(store)
    loadSites(store, random)
    const machines = loadMachines(store, machineCount, now, random)
    loadAlertCodes(store)
    loadAlerts(store, machines, now, random)
    const stock = createStock(store, machines, now - stockDaysOf[scale] * day)
    const onBatch = (batch: SeedBatch) => {
      if (batch.id % metadataOf[scale] === 0) loadMetadata(store, batch)
    }
    loadBatches(store, machines, {count: batches, now, watch: {...stock, onBatch}}, random)
    loadAssortment(store, machines, now, stock)
    loadSettings(store, machines)
    loadPeople(store, machines, now)
  })
  store.settle()
}
