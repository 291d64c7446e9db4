import {createRandom} from '../random.js'
import type {Store} from '../store/store.js'
import {loadAlertCodes, loadAlerts} from './alerts.js'
import {loadBatches} from './batches.js'
import {loadMachines} from './machines.js'
import {firstIds, globalChargeKey, loadAccounts, loadOrganizations, loadSites} from './parents.js'

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
    loadBatches(store, machines, batches, now, random)
  })
  store.settle()
}
