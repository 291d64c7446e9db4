import type {FilterKey} from './filters.js'
import type {ReadId} from './operations.js'

/** How a change of what machines sell reaches them: at their next check-in. [pub] */
export const pickUp = {
  read: 'machines.list',
  filter: 'machineIdentifiers',
  /** True until the machine has it. */
  flag: 'hasPlanogramChange',
  /** When the machine was last heard of. */
  heartbeat: 'lastHeartBeat.server',
  typicalMinutes: 45,
} as const satisfies {read: ReadId; filter: FilterKey; flag: string; heartbeat: string; typicalMinutes: number}
