import type {OperationId} from '../../contract/index.js'
import {clearAlerts, updateAlerts} from './alerts-change.js'
import {createAlerts} from './alerts-create.js'
import {createCustomData} from './custom-data.js'
import type {Handler} from './handler.js'
import {reads} from './reads.js'
import {login, testKey} from './session.js'
import {createSites, updateSites} from './sites.js'

function notYet(): never {
  throw new TypeError('this handler is not written yet')
}

/** The sandbox's behaviour for every operation of the contract; one without a handler does not compile. */
export const handlers: {readonly [Id in OperationId]: Handler<Id>} = {
  ...reads,
  'sites.create': createSites,
  'sites.update': updateSites,
  'machines.custom-data.create': createCustomData,
  'alerts.create': createAlerts,
  'alerts.update': updateAlerts,
  'alerts.clear': clearAlerts,
  'selections.create': notYet,
  'selections.update': notYet,
  'selections.delete': notYet,
  'selections.adjust': notYet,
  'templates.apply': notYet,
  'machines.update': notYet,
  'machines.provision': notYet,
  'machines.settings.set': notYet,
  'role-rights.create': notYet,
  'role-rights.update': notYet,
  'sites.delete': notYet,
  'auth.login': login,
  'auth.test': testKey,
}
