import {toDateTime} from '../../values/date-time.js'
import type {Store} from '../store/record-store.js'
import type {SeedMachine} from './fleet.js'
import {firstIds} from './parents.js'
import {organizationNames} from './word-lists.js'

const hour = 3_600_000

const roles = [
  ['Manager', 'May do everything'],
  ['Driver', 'Fills machines up, "and nothing else"'],
  ['Auditor', 'Looks only'],
]

/** The people of the world: what they may do, and when they were logged in. */
export function loadPeople(store: Store, machines: SeedMachine[], now: number): void {
  loadRoles(store)
  loadMachineRights(store, machines)
  loadSessions(store, machines, now)
}

/** Three roles for each organization, with four rights each. */
function loadRoles(store: Store): void {
  for (const organization of organizationNames.keys()) {
    const organizationId = firstIds.organization + organization
    for (const [index, [name = '', description = '']] of roles.entries()) {
      const id = firstIds.role + organization * roles.length + index
      store.insert('role', id, {organizationId, id, name, description})
      loadRoleRights(store, id, index)
    }
  }
}

function loadRoleRights(store: Store, roleId: number, kind: number): void {
  for (const rightId of [1, 2, 3, 4]) {
    const id = firstIds.roleRight + (roleId - firstIds.role) * 4 + rightId - 1
    const flags = {canView: true, canEdit: kind === 0 || (kind === 1 && rightId === 2), canExecute: kind === 0}
    store.insert('role_right', id, {id, roleId, rightId, ...flags})
  }
}

/** At each machine the manager has two rights, and the driver a third. */
function loadMachineRights(store: Store, machines: SeedMachine[]): void {
  let id = 1
  for (const {id: machineId, organizationId} of machines) {
    const manager = firstIds.role + (organizationId - firstIds.organization) * roles.length
    for (const [rightId, roleId] of [manager, manager, manager + 1].entries()) {
      store.insert(
        'machine_right',
        id,
        {machineId, rightId: rightId + 1},
        {organization_id: organizationId, role_id: roleId},
      )
      id += 1
    }
  }
}

const sessions = 200
/** 200 sessions go back 75 days. */
const betweenSessions = 9 * hour

/** Visits to the web site, which have no machine, and to the service mode of machines; each with what happened. */
function loadSessions(store: Store, machines: SeedMachine[], now: number): void {
  for (let index = 0; index < sessions; index++) {
    const machine = machines[(index * 7) % machines.length]
    if (!machine) return
    const id = firstIds.session + index
    const startedAt = now - (sessions - index) * betweenSessions
    const machineId = index % 2 === 0 ? null : machine.id
    const isRefused = index % 10 === 4
    store.insert('session', id, {
      id,
      machineId,
      organizationId: machine.organizationId,
      startedAtUtc: toDateTime(startedAt),
      endedAtUtc: index % 12 === 5 ? null : toDateTime(startedAt + hour / 2),
      login: index % 2 === 0 ? `driver${index % 4}@example.com` : `00${index % 9}`,
      reason: index % 3 === 0 ? 'Restock, "weekly"' : null,
      loginWasSuccessful: !isRefused,
      wasAbandoned: index % 12 === 5 ? null : index % 8 === 1,
      source: machineId === null ? 'Web' : 'Service Mode',
    })
    loadEvents(store, id, startedAt, isRefused)
  }
}

function loadEvents(store: Store, sessionId: number, startedAt: number, isRefused: boolean): void {
  const types = isRefused ? ['LoginRefused'] : ['Login', 'DoorOpened', 'Logout']
  for (const [index, eventType] of types.entries()) {
    const id = firstIds.sessionEvent + (sessionId - firstIds.session) * 3 + index
    const loggedAt = startedAt + index * 120_000
    store.insert('session_event', id, {
      id,
      sessionId,
      eventType,
      startedAt: index === 1 ? toDateTime(loggedAt - 1_000) : null,
      loggedAt: toDateTime(loggedAt),
      data: index === 1 ? '{"door":1}' : null,
    })
  }
}
