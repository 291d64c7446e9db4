import type {JsonRecord} from '../../values/json.js'
import {toTimes} from '../handlers/write-alerts.js'
import type {Store} from '../store/record-store.js'
import type {SeedMachine} from './fleet.js'
import {firstIds} from './parents.js'
import {pickInteger, type Random} from './random.js'
import {alertCodes} from './word-lists.js'

const day = 86_400_000
const seedDays = 120

export function loadAlertCodes(store: Store): void {
  for (const [index, [code, description, onlyOneExists, uiClearOnly]] of alertCodes.entries()) {
    const id = firstIds.alertCode + index
    store.insert('alert_code', id, {id, code, description, onlyOneExists, uiClearOnly})
  }
}

/** One open alert for every fifth machine and one cleared alert for every fourth, over 120 days. */
export function loadAlerts(store: Store, machines: SeedMachine[], now: number, random: Random): void {
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
