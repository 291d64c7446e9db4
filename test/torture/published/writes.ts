import {type Row, textOf} from './json.js'
import {Problems, refuse} from './refusal.js'
import {
  adjustSelections,
  applyTemplate,
  createSelections,
  deleteSelections,
  updateSelections,
} from './selection-writes.js'
import {isOf, stamp} from './world.js'
import type {Write} from './write.js'

const keyed = (body: readonly Row[], field = 'id') => body.map((sent) => ({key: textOf(sent[field]), sent}))

const machineFields = [
  ...['assetId', 'siteId', 'typeId', 'controllerFirmware', 'pcFirmware', 'forceUpdate', 'name', 'modelNumber'],
  ...['taxPercentage', 'commissionPercentage', 'enableAccountSales', 'enableCashSales', 'enableCreditSales', 'mode'],
  ...['isVisible', 'creditProcessingFee', 'bluetoothId', 'externalAccountsTerminalId', 'canRollbackFirmware'],
  ...[
    'ignoreDoorState',
    'enableSlotCountTracking',
    'useInternetPricing',
    'hardwareSettingsChanged',
    'offerSmsReceipts',
  ],
  ...['usePlangramPrice', 'useMachineTaxRate', 'useMachineCommissionRate', 'latestRestockToPicklist'],
]

const updateMachines: Write = ({world, body, random}) => {
  const problems = new Problems()
  const next = body.map((sent) => {
    const current = world.machines.find((row) => isOf(row, textOf(sent['id'])))
    const site = world.sites.find((row) => isOf(row, textOf(sent['siteId'])))
    if (current === undefined) problems.add(404, 'MISSING_RECORD', sent['id'] ?? null, 'id')
    else if (sent['siteId'] === undefined || sent['name'] === undefined)
      problems.add(421, 'MISSING_REQUIRED_DATA', sent['id'] ?? null, 'id')
    else if (site === undefined || textOf(site['orgId']) !== textOf(current['organizationId']))
      problems.add(400, 'GENERIC_ERROR', sent['id'] ?? null, 'id')
    return {current: current ?? {}, sent}
  })
  problems.throwAny()
  for (const {current, sent} of next)
    Object.assign(current, Object.fromEntries(machineFields.map((field) => [field, sent[field] ?? null])))
  return {rows: keyed(body), answer: random() < 0.5 ? undefined : next.map(({current}) => ({...current}))}
}

/** One machine a request; it goes to the first site of the organization. */
const provision: Write = ({world, requestFilter}) => {
  const [organizations, machines] = [requestFilter['organizationIds'], requestFilter['machineIdentifiers']]
  if (!Array.isArray(organizations) || organizations.length !== 1) refuse(400, 'GENERIC_ERROR')
  if (!Array.isArray(machines) || machines.length !== 1) refuse(400, 'GENERIC_ERROR')
  const [prose, organization] = [textOf(machines[0]), textOf(organizations[0])]
  const site = world.sites.find((row) => textOf(row['orgId']) === organization && row['isEnabled'] === true)
  const known = world.machines.find((row) => row['prose'] === prose)
  if (site === undefined || (known === undefined && !world.strangers.has(prose))) refuse(404, 'MISSING_RECORD')
  const machine: Row = known ?? {...world.machines[0], id: world.nextId(), prose, name: prose}
  const now = stamp(world.now())
  Object.assign(machine, {siteId: site['id'] ?? 0, organizationId: Number(organization), provisionedAt: now})
  if (known === undefined) world.machines.push(machine)
  world.strangers.delete(prose)
  return {rows: [{key: prose, sent: {}}], answer: undefined}
}

/** Each update retires the old record and makes a new one. */
const setSettings: Write = ({world, body}) => {
  const problems = new Problems()
  for (const {id = null, machineId = null, settings, type} of body) {
    const named = world.settings.find((row) => isOf(row, textOf(id)))
    if (id !== null && named?.['isCurrent'] !== true) problems.add(404, 'MISSING_RECORD', id, 'id')
    else if (settings === undefined || type === undefined) problems.add(421, 'MISSING_REQUIRED_DATA', id, 'id')
    else if (!world.machines.some((row) => isOf(row, textOf(machineId))))
      problems.add(404, 'MISSING_RECORD', machineId, 'machineId')
  }
  problems.throwAny()
  const made = body.map(({machineId = null, settings = null, isActive = null, type = null}) => {
    for (const row of world.settings)
      if (textOf(row['machineId']) === textOf(machineId) && row['type'] === type) row['isCurrent'] = false
    const row = {id: world.nextId(), machineId, settings, isActive, isCurrent: true, type}
    world.settings.push(row)
    return row
  })
  return {rows: keyed(body, 'machineId'), answer: made}
}

const flags = ['canView', 'canEdit', 'canExecute']
const pairOf = ({roleId = null, rightId = null}: Row) => `${textOf(roleId)}/${textOf(rightId)}`

function flagsOf(sent: Row): Row {
  if (flags.some((flag) => typeof sent[flag] !== 'boolean')) refuse(421, 'MISSING_REQUIRED_DATA')
  return Object.fromEntries(flags.map((flag) => [flag, sent[flag] ?? null]))
}

const createRights: Write = ({world, body}) => {
  const problems = new Problems()
  const taken = new Set(world.roleRights.map(pairOf))
  const made = body.map((sent, index) => {
    if (taken.has(pairOf(sent))) problems.add(400, 'GENERIC_ERROR', index, 'index')
    taken.add(pairOf(sent))
    return {roleId: sent['roleId'] ?? null, rightId: sent['rightId'] ?? null, ...flagsOf(sent)}
  })
  problems.throwAny()
  const rows = made.map((row) => ({id: world.nextId(), ...row}))
  world.roleRights.push(...rows)
  return {rows: body.map((sent) => ({key: pairOf(sent), sent})), answer: rows.map(({id}) => id)}
}

/** A record whose flags are all false is gone, and missing from the answer. */
const updateRights: Write = ({world, body}) => {
  const problems = new Problems()
  const next = body.map((sent) => {
    const current = world.roleRights.find((row) => isOf(row, textOf(sent['id'])))
    if (current === undefined) problems.add(404, 'MISSING_RECORD', sent['id'] ?? null, 'id')
    const {roleId = null, rightId = null} = sent
    return {current: current ?? {}, row: {roleId, rightId, ...flagsOf(sent)} as Row}
  })
  problems.throwAny()
  for (const {current, row} of next) Object.assign(current, row)
  const isGone = (row: Row) => flags.every((flag) => row[flag] === false)
  world.roleRights = world.roleRights.filter((row) => !isGone(row))
  return {rows: keyed(body), answer: next.filter(({row}) => !isGone(row)).map(({current}) => ({...current}))}
}

const deleteSites: Write = ({world, body}) => {
  const problems = new Problems()
  const found = body.map(({id = null}) => {
    const site = world.sites.find((row) => isOf(row, textOf(id)))
    if (site?.['isEnabled'] !== true) problems.add(404, 'MISSING_RECORD', id, 'id')
    return site ?? {}
  })
  problems.throwAny()
  for (const site of found) site['isEnabled'] = false
  return {rows: keyed(body), answer: undefined}
}

/** All writes, by method and path, with the name of each. */
export const writes: Record<string, readonly [string, Write]> = {
  'PATCH /selections': ['selections.update', updateSelections],
  'PUT /selections': ['selections.create', createSelections],
  'DELETE /selections': ['selections.delete', deleteSelections],
  'POST /selections/apply-delta': ['selections.adjust', adjustSelections],
  'POST /templates/apply': ['templates.apply', applyTemplate],
  'PATCH /machines': ['machines.update', updateMachines],
  'POST /machines/provision': ['machines.provision', provision],
  'PUT /settings': ['machines.settings.set', setSettings],
  'PUT /role-rights': ['role-rights.create', createRights],
  'PATCH /role-rights': ['role-rights.update', updateRights],
  'DELETE /sites': ['sites.delete', deleteSites],
}
