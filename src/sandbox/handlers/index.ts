import type {SessionId, WriteId} from '../../contract/index.js'
import {refuse} from '../request/refused.js'
import {readObject, toNames} from '../request/standard-request.js'
import type {SessionHandler, WriteHandler} from './handler.js'
import {createRoleRights, updateRoleRights} from './role-rights.js'
import {clearAlerts, createAlerts, updateAlerts} from './write-alerts.js'
import {createCustomData, provisionMachine, setSettings, updateMachines} from './write-machines.js'
import {
  adjustSelections,
  applyTemplate,
  createSelections,
  deleteSelections,
  updateSelections,
} from './write-selections.js'
import {createSites, deleteSites, updateSites} from './write-sites.js'

/** Gives a token for user name and password. [pub] */
const login: SessionHandler = ({key, body, sessions, now}) => {
  const given = toNames(readObject(body))
  const [username, password] = ['username', 'password'].map((name) => {
    const value = given.get(name)
    if (value === undefined || value === null || value === '')
      throw refuse('MISSING_REQUIRED_DATA', `${name} is required.`, [name], 'name')
    if (typeof value !== 'string') throw refuse('GENERIC_ERROR', `${name} must be text.`, [name], 'name')
    return value
  })
  return {...sessions.login(key, username ?? '', password ?? '', now)}
}

/** Reached only with a right API key. [pub] */
const testKey: SessionHandler = () => 'Access token was valid'

/** The behaviour of every write and login of the contract; one without a handler does not compile. */
export const handlers: {readonly [Id in WriteId | SessionId]: Id extends WriteId ? WriteHandler : SessionHandler} = {
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
