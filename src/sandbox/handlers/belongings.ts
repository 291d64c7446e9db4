import type {Store} from '../store/store.js'

/** Records that know a machine only, and so belong to the organization that the machine belongs to. */
const ofMachines = ['custom_data', 'selection', 'machine_setting', 'machine_right'] as const

/** What machines have follows them into another organization; what they did stays where it happened. */
export function moveBelongings(store: Store, machines: readonly (number | bigint)[]): void {
  for (const table of ofMachines) {
    store.change(
      `UPDATE ${table} SET organization_id = machine.organization_id
       FROM machine WHERE machine.id = machine_id AND machine.id IN (SELECT value FROM json_each(?))`,
      `[${machines.join(',')}]`,
    )
  }
}
