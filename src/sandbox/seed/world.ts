import {millisecondsPerDay as day, toDateTime} from '../../values/date-time.js'
import type {JsonRecord} from '../../values/json.js'
import {toTimes} from '../handlers/write-alerts.js'
import type {Store} from '../store/record-store.js'
import {createStock, loadAssortment} from './assortment.js'
import {loadBatches, loadMetadata, type SeedBatch} from './batches.js'
import {loadMachines, loadSettings, type SeedMachine} from './fleet.js'
import {firstIds, loadAccounts, loadOrganizations, loadSites} from './parents.js'
import {createRandom, pickInteger, type Random} from './random.js'
import {alertCodes, organizationNames} from './word-lists.js'

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
/** Of so many batches, one has metadata. */
const metadataOf = {small: 5, large: 100}

/** The organizations that the second API key is bound to. */
export const limitedOrganizations = [firstIds.organization, firstIds.organization + 1]

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

const seedDays = 120

function loadAlertCodes(store: Store): void {
  for (const [index, [code, description, onlyOneExists, uiClearOnly]] of alertCodes.entries()) {
    const id = firstIds.alertCode + index
    store.insert('alert_code', id, {id, code, description, onlyOneExists, uiClearOnly})
  }
}

/** Loads an open alert for every fifth machine and a cleared alert for every fourth, over 120 days. */
function loadAlerts(store: Store, machines: SeedMachine[], now: number, random: Random): void {
  let id = firstIds.alert
  for (const [index, machine] of machines.entries()) {
    if (index % 4 === 1) insertAlert(id++, machine, false)
    if (index % 5 === 0) insertAlert(id++, machine, true)
  }

  function insertAlert(id: number, machine: SeedMachine, isOpen: boolean): void {
    const raised = now - pickInteger(random, 60_000, seedDays * day)
    const cleared = isOpen ? undefined : Math.min(now, raised + pickInteger(random, 60_000, 3 * day))
    store.insert('alert', id, toAlert(id, machine, raised, cleared))
  }
}

function toAlert(id: number, machine: SeedMachine, raised: number, cleared: number | undefined): JsonRecord {
  const [code, description] = alertCodes[id % alertCodes.length] ?? ['NS', 'No sales']
  return {
    id,
    organizationId: machine.organizationId,
    accountId: machine.accountId,
    siteId: machine.siteId,
    machineId: machine.id,
    machineLocation: machine.siteName,
    machineProse: machine.prose,
    alertCodeId: firstIds.alertCode + (id % alertCodes.length),
    code,
    message:
      id % 7 === 0 ? `${description}, "${machine.name}"\nseen by the driver` : `${description} on ${machine.name}`,
    isCleared: cleared !== undefined,
    raisedAt: null,
    clearedAt: null,
    raisedAtServerTime: null,
    clearedAtServerTime: null,
    ...toTimes('raisedAt', raised, machine.zone),
    ...(cleared !== undefined && toTimes('clearedAt', cleared, machine.zone)),
    alertMetadata: id % 3 === 0 ? {key: 'source', value: 'telemetry'} : null,
  }
}

const hour = 3_600_000

const roles = [
  ['Manager', 'May do everything'],
  ['Driver', 'Fills machines up, "and nothing else"'],
  ['Auditor', 'Looks only'],
]

/** The people of the world: what they may do, and when they were logged in. */
function loadPeople(store: Store, machines: SeedMachine[], now: number): void {
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

/** 200 sessions go back 75 days; a world of fewer machines has one for each. */
const mostSessions = 200
const betweenSessions = 9 * hour

/** Visits to the web site, which have no machine, and to the service mode of machines; each with what happened. */
function loadSessions(store: Store, machines: SeedMachine[], now: number): void {
  const sessions = Math.min(mostSessions, machines.length)
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
