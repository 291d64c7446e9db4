import {expect, test} from 'vitest'
import {openSandbox} from './ask.js'

const {sandbox, caller, limited} = await openSandbox({machines: 14})

const apply = (machineIdentifiers: unknown, templateIds: unknown, who = caller) =>
  who.ask('POST', '/templates/apply', {requestFilter: {machineIdentifiers}, routeFilter: {templateIds}})

type Selection = {[name: string]: unknown; id: number}
async function selectionsOf(machine: string): Promise<Map<unknown, Selection>> {
  const reply = await caller.ask('GET', '/selections', {requestFilter: {machineIdentifiers: [machine]}})
  return new Map((reply.json as Selection[]).map((one) => [one['selectionNumber'], one]))
}

test('reaches every machine that it names, and only those', async () => {
  sandbox.store.change(`UPDATE machine SET json = json_set(json, '$.hasPlanogramChange', json('false'))`)

  await apply(['5001', 'PRS100005'], [412])

  expect((await selectionsOf('5006')).has('T1')).toBe(true)
  expect((await selectionsOf('5011')).has('T1')).toBe(false)
  const waiting = sandbox.store.read('machine').filter((machine) => machine['hasPlanogramChange'])
  expect(waiting.map(({id}) => id)).toEqual([5001, 5006])
})

test('writes no adjustment, because no stock changes', async () => {
  const before = sandbox.store.count('adjustment')

  await apply(['5001'], [412])

  expect(sandbox.store.count('adjustment')).toBe(before)
})

test.each([
  ['no template', ['5001'], [], 421, 'MISSING_REQUIRED_DATA', ['templateIds'], 'name'],
  ['no filter of templates', ['5001'], undefined, 421, 'MISSING_REQUIRED_DATA', ['templateIds'], 'name'],
  ['no machine', [], [412], 421, 'MISSING_REQUIRED_DATA', ['machineIdentifiers'], 'name'],
  ['two templates', ['5001'], [412, 413], 422, 'MULTIPLE_TEMPLATES', [412, 413], 'templateIds'],
  ['a template without selections', ['5001'], [411], 422, 'NO_SELECTIONS', [411], 'templateIds'],
  ['an unknown template', ['5001'], [9], 404, 'MISSING_RECORD', [9], 'templateIds'],
  ['an unknown machine', ['5001', '9'], [412], 404, 'MISSING_RECORD', ['9'], 'machineIdentifiers'],
  ['a deleted machine', ['5014'], [412], 404, 'MISSING_RECORD', ['5014'], 'machineIdentifiers'],
  ['machines of two organizations', ['5001', '5002'], [412], 400, 'GENERIC_ERROR', [], 'machineIdentifiers'],
  ['a template of another organization', ['5001'], [413], 400, 'GENERIC_ERROR', [413], 'templateIds'],
  ['a template as text', ['5001'], ['412'], 400, 'DESERIALIZATION_ERROR', ['412'], 'templateIds'],
])('refuses %s and changes nothing', async (_what, machines, templates, status, code, pointers, pointerName) => {
  const before = sandbox.store.read('selection')

  const reply = await apply(machines, templates)

  expect(reply).toMatchObject({status, json: [{code, pointers, pointerName}]})
  expect(sandbox.store.read('selection')).toEqual(before)
})

test.each([
  [['5003'], 414, ['5003'], 'machineIdentifiers'],
  [['5001'], 414, [414], 'templateIds'],
])('refuses a limited caller machine %j with template %d', async (machines, template, pointers, pointerName) => {
  const reply = await apply(machines, [template], limited)

  expect(reply).toMatchObject({status: 403, json: [{code: 'DATA_ACCESS', pointers, pointerName}]})
})
