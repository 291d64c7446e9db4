import {millisecondsPerDay as day, toDateTime} from '../../values/date-time.js'
import {type JsonRecord, toNumber} from '../../values/json.js'
import {toLocalTime} from '../../values/zones.js'
import type {Store} from '../store/record-store.js'
import {firstIds} from './parents.js'
import {pick, pickInteger, type Random} from './random.js'
import {machineKinds, machineModels} from './word-lists.js'

/** The facts of a machine for its alerts and batches. */
export type SeedMachine = {
  id: number
  organizationId: number
  accountId: number
  siteId: number
  siteName: string
  name: string
  model: string
  prose: string
  zone: string
}

type SeedSite = {id: number; organizationId: number; accountId: number; name: string; zone: string}

/** Machines at the sites that are not deleted; the last two of them are deleted. */
export function loadMachines(store: Store, count: number, now: number, random: Random): SeedMachine[] {
  const sites = readSites(store)
  const machines = Array.from({length: count}, (_, index) => toSeedMachine(index, sites, random))
  for (const machine of machines) store.insert('machine', machine.id, toMachine(machine, now, random))
  const deleted = machines.length > 2 ? machines.slice(-2) : []
  for (const {id} of deleted) store.remove('machine', id)
  return machines.filter((machine) => !deleted.includes(machine))
}

function readSites({database}: Store): SeedSite[] {
  const rows = database.all(
    `SELECT site.id, site.organization_id, site.account_id, site.name,
      coalesce(site.time_zone, organization.time_zone, 'UTC') AS zone
     FROM site JOIN organization ON organization.id = site.organization_id WHERE site.deleted = 0 ORDER BY site.id`,
  )
  return rows.map((row) => ({
    id: Number(row['id']),
    organizationId: Number(row['organization_id']),
    accountId: Number(row['account_id']),
    name: String(row['name']),
    zone: String(row['zone']),
  }))
}

function toSeedMachine(index: number, sites: SeedSite[], random: Random): SeedMachine {
  const site = sites[index % sites.length]
  if (!site) throw new RangeError('There is no site for a machine to stand at.')
  const kind = pick(random, machineKinds)
  return {
    id: firstIds.machine + index,
    organizationId: site.organizationId,
    accountId: site.accountId,
    siteId: site.id,
    siteName: site.name,
    name: index % 50 === 7 ? `${kind} "${index + 1}", lobby` : `${kind} ${index + 1}`,
    model: pick(random, machineModels),
    prose: `PRS${100_000 + index}`,
    zone: site.zone,
  }
}

function toMachine(machine: SeedMachine, now: number, random: Random): JsonRecord {
  const {id, organizationId, siteId, name, model, prose, zone} = machine
  const version = `4.${pickInteger(random, 0, 9)}.${pickInteger(random, 10, 30)}`
  const createdAt = now - pickInteger(random, 200, 1_500) * day - pickInteger(random, 0, day)
  const moment = (longestAgo: number) => {
    const at = now - pickInteger(random, 0, longestAgo)
    return {server: toDateTime(at), local: toDateTime(toLocalTime(at, zone))}
  }
  return {
    id,
    assetId: id === firstIds.machine ? toNumber('9007199254740993') : 40_000 + id,
    organizationId,
    siteId,
    typeId: pickInteger(random, 1, 5),
    machineMasterId: pickInteger(random, 10, 40),
    controllerFirmware: random() < 0.1 ? null : {current: version, pendingUpdate: random() < 0.8 ? null : '5.0.1'},
    pcFirmware: random() < 0.5 ? null : {current: version, pendingUpdate: null},
    forceUpdate: random() < 0.05,
    prose,
    name,
    modelNumber: model,
    taxPercentage: toNumber(pick(random, ['7.50', '0.00', '19.00', '10.10'])),
    commissionPercentage: toNumber(pick(random, ['5.00', '12.5', '0.0'])),
    hasPlanogramChange: random() < 0.2,
    callInCode: `00${id}`,
    enableAccountSales: random() < 0.5,
    enableCashSales: true,
    enableCreditSales: random() < 0.8,
    mode: pick(random, ['Live', 'Live', 'Service']),
    isVisible: random() < 0.97,
    createdAt: toDateTime(createdAt),
    provisionedAt: toDateTime(createdAt + day),
    lastHeartBeat: moment(3_600_000),
    lastCashSale: moment(2 * day),
    lastCreditSale: moment(2 * day),
    lastAccountSale: moment(20 * day),
    latestRestockToPicklist: null,
    creditProcessingFee: toNumber('0.10'),
    bluetoothId: id % 4 === 0 ? null : `00:1a:${id}`,
    externalAccountsTerminalId: id % 3 === 0 ? `000${id}` : null,
    canRollbackFirmware: id % 2 === 0,
    ignoreDoorState: false,
    enableSlotCountTracking: true,
    useInternetPricing: true,
    hardwareSettingsChanged: false,
    usePlangramPrice: id % 5 === 0,
    useMachineTaxRate: false,
    useMachineCommissionRate: false,
    offerSmsReceipts: id % 3,
  }
}

/** Loads settings for every third machine: two types in force, and one record that was retired. */
export function loadSettings(store: Store, machines: SeedMachine[]): void {
  let id = firstIds.machineSetting
  for (const machine of machines.filter((_, index) => index % 3 === 0)) {
    add(machine, 'Config', 'volume=2\nlanguage=en', false)
    add(machine, 'Config', 'volume=3\nlanguage=en', true)
    add(machine, 'Network', '{"apn":"m2m.example","dns":"10.10.10.10"}', true)
  }

  function add({id: machineId}: SeedMachine, type: string, settings: string, isCurrent: boolean): void {
    store.insert('machine_setting', id, {id, machineId, settings, isActive: true, isCurrent, type})
    id += 1
  }
}
