import {systemClock} from '../../src/core/clock.js'
import type {Sandbox} from '../../src/sandbox/server.js'
import {type JsonRecord, parseJson} from '../../src/values/json.js'

/** Without dates the service serves its last 90 days of alerts. */
export const yesterday = new Date(systemClock.now() - 86_400_000).toISOString().slice(0, 19)

export const ada = {firstName: 'Ada', lastName: null, telephoneNumber: null, emailAddress: 'ada@example.com'}

/** A site with every field filled, one of them with digits that JavaScript cannot count. */
export function addSite({add, store}: Sandbox, id: number, more: JsonRecord = {}): JsonRecord {
  const digits = parseJson('{"maxChargePrice": 9007199254740993}') as JsonRecord
  const filled = {...store.find('site', 1001), contact: ada, billingAddress: '1 Quay\nTown', ...digits}
  add('site', {...filled, id, name: `S${id}`, ...more})
  return store.find('site', id) ?? {}
}

/** Somebody else changes a record. */
export function changeSite({store}: Sandbox, id: number, more: JsonRecord): void {
  store.update('site', id, {...store.find('site', id), ...more}, {})
}

/** An open alert of yesterday, at the first machine, which stands in a zone behind UTC. */
export function addAlert({add, store}: Sandbox, id: number, more: JsonRecord = {}): JsonRecord {
  const [first = {}] = store.read('alert')
  const times = {raisedAt: yesterday, raisedAtServerTime: yesterday}
  const open = {isCleared: false, clearedAt: null, clearedAtServerTime: null}
  add('alert', {...first, id, message: `Alert ${id}`, ...times, ...open, ...more})
  return store.find('alert', id) ?? {}
}
