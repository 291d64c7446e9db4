import type {ReadId} from '../../contract/index.js'
import type {ReadHandler} from './handler.js'

const inside = (column: string) => `${column} IN (SELECT value FROM json_each(?))`

/** A machine is named by its id as text or by its PROSE serial. [seed] [pub] */
const machineNamed = (column: string) => `${column} IN (
  SELECT machine.id FROM json_each(?) AS asked JOIN machine ON machine.prose = asked.value
  OR (machine.id = CAST(asked.value AS INTEGER) AND CAST(machine.id AS TEXT) = asked.value))`

const batchNamed = `id IN (
  SELECT CAST(substr(value, 2) AS INTEGER) FROM json_each(?)
  WHERE value = 'B' || CAST(substr(value, 2) AS INTEGER))`

/** A role is named by its id, as a number or a text, or by its name. [dec] */
const roleNamed = (column: string) => `${column} IN (
  SELECT role.id FROM json_each(?) AS asked JOIN role ON CAST(role.id AS TEXT) = CAST(asked.value AS TEXT)
  OR lower(json_extract(role.json, '$.name')) = lower(asked.value))`

/** Records that know their machine only: where the machine stands now. */
const ofMachines = (condition: string) => `machine_id IN (SELECT id FROM machine WHERE ${condition})`

/** Every read of the contract; one that honours a filter without a condition here does not compile. */
export const reads: {readonly [Id in ReadId]: ReadHandler<Id>} = {
  'organizations.list': {where: {organizationIds: inside('id')}},
  'accounts.list': {
    where: {organizationIds: inside('organization_id'), accountIds: inside('id')},
  },
  'sites.list': {
    where: {organizationIds: inside('organization_id'), accountIds: inside('account_id'), siteIds: inside('id')},
  },
  'machines.list': {
    where: {
      organizationIds: inside('organization_id'),
      accountIds: inside('account_id'),
      siteIds: inside('site_id'),
      machineIdentifiers: machineNamed('id'),
    },
  },
  'alerts.list': {
    where: {
      organizationIds: inside('organization_id'),
      siteIds: inside('site_id'),
      machineIdentifiers: machineNamed('machine_id'),
      alertIds: inside('id'),
      alertCodes: inside('code'),
    },
  },
  'alerts.codes': {where: {}},
  'reports.transactions': {
    where: {
      organizationIds: inside('organization_id'),
      accountIds: inside('account_id'),
      siteIds: inside('site_id'),
      machineIdentifiers: machineNamed('machine_id'),
      transactionIdentifiers: batchNamed,
    },
  },
  'selections.list': {
    where: {
      organizationIds: inside('organization_id'),
      accountIds: ofMachines(inside('account_id')),
      siteIds: ofMachines(inside('site_id')),
      machineIdentifiers: machineNamed('machine_id'),
      selectionIds: inside('id'),
    },
  },
  'templates.list': {where: {organizationIds: inside('organization_id')}},
  'templates.selections': {where: {templateIds: inside('template_id')}},
  'reports.inventory': {
    where: {
      organizationIds: inside('organization_id'),
      accountIds: inside('account_id'),
      siteIds: inside('site_id'),
      machineIdentifiers: machineNamed('machine_id'),
      transactionIdentifiers: batchNamed,
    },
  },
  'reports.metadata': {
    where: {
      organizationIds: inside('organization_id'),
      accountIds: inside('account_id'),
      siteIds: inside('site_id'),
      machineIdentifiers: machineNamed('machine_id'),
      transactionIdentifiers: batchNamed,
    },
  },
  'machines.settings.list': {where: {machineIdentifiers: machineNamed('machine_id')}},
  'products.list': {
    where: {organizationIds: '? IS NOT NULL', productIds: inside('id')}, // products are the same for everybody [dec]
  },
  'sessions.list': {
    where: {
      organizationIds: inside('organization_id'),
      machineIdentifiers: machineNamed('machine_id'),
      sessionIds: inside('id'),
      sessionEventIds: 'id IN (SELECT session_id FROM session_event WHERE id IN (SELECT value FROM json_each(?)))',
    },
  },
  'sessions.events': {
    where: {
      organizationIds: inside('organization_id'),
      machineIdentifiers: machineNamed('machine_id'),
      sessionIds: inside('session_id'),
      sessionEventIds: inside('id'),
    },
  },
  'roles.list': {where: {organizationIds: inside('organization_id'), roleIdentifiers: roleNamed('id')}},
  'roles.rights': {
    where: {machineIdentifiers: machineNamed('machine_id'), roleIdentifiers: roleNamed('role_id')},
  },
  'role-rights.list': {
    where: {
      organizationIds: inside('organization_id'),
      roleRightIds: inside('id'),
      roleIdentifiers: roleNamed('role_id'),
      rightIds: inside('right_id'),
    },
  },
}
