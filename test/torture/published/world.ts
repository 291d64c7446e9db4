import {digits, numberOf, type Row, textOf} from './json.js'

/** Everything the service holds; lists in order of creation. */
export type World = {
  organizations: Row[]
  accounts: Row[]
  sites: Row[]
  machines: Row[]
  selections: Row[]
  templates: Row[]
  templateSelections: Row[]
  adjustments: Row[]
  settings: Row[]
  products: Row[]
  roles: Row[]
  roleRights: Row[]
  /** Serials of machines that were never provisioned, and are in no list. */
  strangers: Set<string>
  nextId: () => number
  /** Of the service's own clock. */
  now: () => number
  /** By which its clock is wrong. */
  people: {caller: number; other: number}
}

const clockError = 37 * 60_000
const selectionsOfMachine = 30
const [machinesOfSite, sitesOfOrganization, organizationCount] = [4, 6, 2]

/** Whole seconds, as the published samples have them. */
export function stamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19)
}

/** Two organizations with six sites each, four machines a site, thirty selections a machine. */
export function createWorld(): World {
  let last = 1_000
  const world: World = {
    ...{organizations: [], accounts: [], sites: [], machines: [], selections: [], templates: [], settings: []},
    ...{templateSelections: [], adjustments: [], products: [], roles: [], roleRights: [], strangers: new Set<string>()},
    nextId: () => ++last,
    now: () => Date.now() + clockError,
    people: {caller: 3, other: 7},
  }
  for (let number = 1; number <= organizationCount; number++) addOrganization(world, number)
  for (let product = 801; product <= 840; product++) {
    world.products.push({id: product, organizationId: 1, name: `product ${product}`})
  }
  return world
}

function addOrganization(world: World, id: number): void {
  world.organizations.push({id, name: `organization ${id}`, timeZone: 'UTC', isEnabled: true})
  const account = {id: 10 + id, organizationId: id, name: `account ${id}`, externalId: null, isEnabled: true}
  world.accounts.push(account)
  for (let index = 0; index < sitesOfOrganization; index++) {
    const site = addSite(world, {accountId: account.id, orgId: id, name: `site ${id}-${index}`})
    for (let place = 0; place < machinesOfSite; place++) addMachine(world, numberOf(site['id']), id)
  }
  addTemplate(world, id)
  for (let role = 0; role < 4; role++) {
    world.roles.push({organizationId: id, id: world.nextId(), name: `role ${role}`, description: `of ${id}`})
  }
}

export function addSite(world: World, given: Row): Row {
  const site: Row = {
    ...{id: world.nextId(), contact: null, commissionPercentage: null, isActive: true, timeZone: 'UTC'},
    ...{isEnabled: true, maxChargePrice: 500, billingAddress: null, shippingAddress: null},
    ...{
      maximumMeterSalesJumpAllowed: 100,
      commissionTerms: 'Net30',
      externalAccountTerminalId: null,
      chargeKeyId: null,
    },
    ...given,
  }
  world.sites.push(site)
  return site
}

function addMachine(world: World, siteId: number, organizationId: number): void {
  const id = world.nextId()
  const long = stamp(world.now() - 90 * 86_400_000)
  const both = {server: long, local: long}
  const firmware = {current: '4.1', pendingUpdate: null}
  world.machines.push({
    ...{id, assetId: 5_000 + id, organizationId, siteId, typeId: 1, machineMasterId: id, prose: `PRS${id}`},
    ...{controllerFirmware: firmware, pcFirmware: firmware, forceUpdate: false, name: `machine ${id}`},
    ...{modelNumber: 'M-7', taxPercentage: digits('7.50'), commissionPercentage: digits('10.10')},
    ...{hasPlanogramChange: false, callInCode: '1234', enableAccountSales: true, enableCashSales: true},
    ...{enableCreditSales: true, mode: 'Vend', isVisible: true, createdAt: long, provisionedAt: long},
    ...{lastHeartBeat: both, lastCashSale: both, lastCreditSale: both, lastAccountSale: both},
    ...{creditProcessingFee: digits('0.10'), bluetoothId: 'b1', externalAccountsTerminalId: null},
    ...{canRollbackFirmware: true, ignoreDoorState: true, enableSlotCountTracking: true, useInternetPricing: true},
    ...{hardwareSettingsChanged: false, usePlangramPrice: true, useMachineTaxRate: true},
    ...{useMachineCommissionRate: true, latestRestockToPicklist: both, offerSmsReceipts: 1},
  })
  for (let index = 1; index <= selectionsOfMachine; index++)
    addSelection(world, {machineId: id, selectionNumber: index})
  const type = 'hardware'
  world.settings.push({
    ...{id: world.nextId(), machineId: id, settings: '{"volume": 3}', isActive: true, isCurrent: true, type},
  })
}

export function addSelection(world: World, given: Row): Row {
  const id = world.nextId()
  const selection: Row = {
    ...{id, productId: 801, price: digits('1.50'), invoicePrice: digits('0.70'), restockTo: 18, depth: 20, count: 12},
    ...{isActive: true, alertLevel: 2, restockAt: 4, freeCount: 0, tax: digits('7.10'), commission: digits('0.20')},
    ...given,
    friendlyNumber: `No ${textOf(given['selectionNumber'])}`,
  }
  world.selections.push(selection)
  return selection
}

/** Two thirds of what a machine holds, and one more that machines lack. */
export function addTemplate(world: World, organizationId: number): number {
  const id = world.nextId()
  world.templates.push({id, organizationId, name: `template ${id}`})
  const numbers = [...Array.from({length: 20}, (_, index) => index + 1), selectionsOfMachine + 1]
  for (const number of numbers) {
    world.templateSelections.push({
      ...{
        id: world.nextId(),
        templateId: id,
        variantId: null,
        selectionNumber: String(number),
        productId: 801 + (id % 40),
      },
      ...{price: digits(`2.${String(id % 90).padStart(2, '0')}`), invoicePrice: digits('1.00'), par: 16},
      ...{createdAt: stamp(world.now()), depth: 20, commission: digits('0.30'), tax: digits('7.00')},
      ...{customData1: null, customData2: null, customData3: null, customData4: null, customData5: null},
    })
  }
  return id
}

export function isOf(row: Row, id: unknown): boolean {
  return textOf(row['id']) === String(id)
}
