import type {OperationId} from '../../contract/index.js'
import {clearAlerts, updateAlerts} from './alerts-change.js'
import {createAlerts} from './alerts-create.js'
import {createCustomData} from './custom-data.js'
import type {Handler} from './handler.js'
import {provisionMachine, updateMachines} from './machines.js'
import {reads} from './reads.js'
import {createRoleRights, updateRoleRights} from './role-rights.js'
import {adjustSelections, createSelections, deleteSelections, updateSelections} from './selections.js'
import {login, testKey} from './session.js'
import {setSettings} from './settings.js'
import {createSites, deleteSites, updateSites} from './sites.js'
import {applyTemplate} from './templates.js'

/** The sandbox's behaviour for every operation of the contract; one without a handler does not compile. */
export const handlers: {readonly [Id in OperationId]: Handler<Id>} = {
  ...reads,
  'sites.create': createSites,
  'sites.update': updateSites,
  'machines.custom-data.create': createCustomData,
  'alerts.create': createAlerts,
  'alerts.update': updateAlerts,
  'alerts.clear': clearAlerts,
  'selections.create': createSelections,
  'selections.update': updateSelections,
  'selections.delete': deleteSelections,
  'selections.adjust': adjustSelections,
  'templates.apply': applyTemplate,
  'machines.update': updateMachines,
  'machines.provision': provisionMachine,
  'machines.settings.set': setSettings,
  'role-rights.create': createRoleRights,
  'role-rights.update': updateRoleRights,
  'sites.delete': deleteSites,
  'auth.login': login,
  'auth.test': testKey,
}
