import {expect, test} from 'vitest'
import {openSandbox, newSite as site} from './ask.js'

const {sandbox, limited} = await openSandbox({machines: 40})
const {store} = sandbox

const alert = {machineId: 5002, code: 'CJ', message: 'Coin jam'}
const {id: _id, friendlyNumber: _friendly, isActive: _active, ...fresh} = store.find('selection', 20_001) ?? {}
const selection = {...fresh, id: 20_001}
const machine = (id: number) => ({...store.find('machine', id), assetId: 7})
const flags = {canView: true, canEdit: false, canExecute: false}
const openAlerts = store.read('alert').filter(({isCleared}) => isCleared === false)
const own = openAlerts.find(({organizationId}) => Number(organizationId) <= 102)?.['id']
const foreign = openAlerts.find(({organizationId}) => Number(organizationId) > 102)?.['id']
const changed = [
  ...(['site', 'machine', 'alert', 'custom_data', 'selection', 'machine_setting', 'role_right'] as const),
  ...(['adjustment'] as const),
]
const snapshot = () => JSON.stringify(changed.map((table) => store.read(table)))

/** Method and path, what is sent, and which element is named, how. The caller belongs to organizations 101 and 102. */
test.each<[string, object, unknown, string]>([
  ['PUT /sites', {body: [site, {...site, orgId: 103, accountId: 203, name: 'Foreign'}]}, 1, 'index'],
  ['PUT /sites', {body: [site, {...site, accountId: 203, name: 'Foreign'}]}, 1, 'index'],
  ['PUT /sites', {body: [site, {...site, chargeKeyId: 303, name: 'Foreign'}]}, 1, 'index'],
  ['PATCH /sites', {body: [{...site, id: 1003}]}, 1003, 'id'],
  ['PATCH /sites', {body: [{...site, id: 1001, orgId: 103, accountId: 203}]}, 1001, 'id'],
  ['DELETE /sites', {body: [{id: 1001}, {id: 1003}]}, 1003, 'id'],
  ['PATCH /machines', {body: [machine(5003)]}, 5003, 'id'],
  ['PATCH /machines', {body: [{...machine(5001), siteId: 1003}]}, 5001, 'id'],
  ['POST /machines/provision', provision(103, 'PRS100000'), 103, 'organizationIds'],
  ['POST /machines/provision', provision(101, 'PRS100002'), 'PRS100002', 'machineIdentifiers'],
  ['PUT /machines/custom-data', {body: [5001, 5003].map((machineId) => ({machineId, key: 'k'}))}, 1, 'index'],
  ['PUT /settings', {body: [{machineId: 5003, type: 'Config', settings: 'x'}]}, 0, 'index'],
  ['PUT /alerts', {body: [alert, {...alert, machineId: 5003}]}, 1, 'index'],
  ['PUT /alerts', {body: [{...alert, organizationId: 103}]}, 0, 'index'],
  ['PATCH /alerts', {body: [own, foreign].map((id) => ({id, message: 'x'}))}, foreign, 'id'],
  ['POST /alerts/clear', {routeFilter: {alertIds: [own, foreign]}}, foreign, 'id'],
  ['GET /alerts', {routeFilter: {alertIds: [foreign]}}, foreign, 'alertIds'],
  ['PATCH /selections', {body: [{...selection, id: 20061, machineId: 5003, selectionNumber: 'A0'}]}, 20061, 'id'],
  ['PATCH /selections', {body: [{...selection, machineId: 5003, selectionNumber: 'Z1'}]}, 20001, 'id'],
  ['PUT /selections', {body: [{...fresh, machineId: 5003, selectionNumber: 'Z9'}]}, 0, 'index'],
  ['DELETE /selections', {body: [{id: 20061}]}, 20061, 'id'],
  ['POST /selections/apply-delta', {body: [{selectionId: 20061, delta: -1}]}, 20061, 'selectionId'],
  ['PUT /role-rights', {body: [{roleId: 69, rightId: 9, ...flags}]}, 0, 'index'],
  ['PATCH /role-rights', {body: [{id: 6033, roleId: 69, rightId: 1, ...flags}]}, 6033, 'id'],
])('%s with %j is refused to a caller of others, and changes nothing', async (route, sent, pointer, name) => {
  const [method = '', path = ''] = route.split(' ')
  const before = snapshot()

  const reply = await limited.ask(method, path, sent)

  expect(reply).toMatchObject({
    status: 403,
    json: expect.arrayContaining([
      expect.objectContaining({code: 'DATA_ACCESS', pointers: [pointer], pointerName: name}),
    ]),
  })
  expect(snapshot()).toBe(before)
})

function provision(organization: number, serial: string) {
  return {requestFilter: {organizationIds: [organization], machineIdentifiers: [serial]}}
}

test('a caller of few organizations creates in its own', async () => {
  expect(await limited.ask('PUT', '/sites', {body: [site]})).toMatchObject({status: 200, json: [1041]})
})
