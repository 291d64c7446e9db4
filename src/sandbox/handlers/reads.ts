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
}
