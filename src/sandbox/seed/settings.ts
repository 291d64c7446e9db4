import type {Store} from '../store/store.js'
import type {SeedMachine} from './machines.js'
import {firstIds} from './parents.js'

/** For every third machine: settings of two types in force, and one record that was retired. */
export function loadSettings(store: Store, machines: SeedMachine[]): void {
  let id = firstIds.machineSetting
  for (const machine of machines.filter((_, index) => index % 3 === 0)) {
    add(machine, 'Config', 'volume=2\nlanguage=en', false)
    add(machine, 'Config', 'volume=3\nlanguage=en', true)
    add(machine, 'Network', '{"apn":"m2m.example","dns":"10.10.10.10"}', true)
  }

  function add({id: machineId, organizationId}: SeedMachine, type: string, settings: string, isCurrent: boolean): void {
    const columns = {organization_id: organizationId, machine_id: machineId, type, is_current: isCurrent ? 1 : 0}
    store.insert('machine_setting', id, {id, machineId, settings, isActive: true, isCurrent, type}, columns)
    id += 1
  }
}
