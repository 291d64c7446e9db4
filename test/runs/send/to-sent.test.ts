import {expect, test} from 'vitest'
import {recordsOf} from '../../../src/runs/journal/load-run.js'
import {toBody, toSent} from '../../../src/runs/rows/row-content.js'
import {parseJson, printJson} from '../../../src/values/json.js'

const records = [
  {id: 4, message: 'a'},
  {id: parseJson('9007199254740993'), message: 'b'},
]

test('records are the body of creates and updates', () => {
  expect(toSent('alerts.update', records)).toEqual({records})
})

test('ids are the filter of what has no body, digit for digit', () => {
  expect(printJson(toSent('alerts.clear', records).filters?.alertIds ?? null)).toBe('[4,9007199254740993]')
  expect(toSent('alerts.clear', records).records).toBeUndefined()
})

test.each([
  ['alerts.clear', records.map(({id}) => ({id}))],
  ['templates.apply', [5001, 5002].map((machineId) => ({templateId: 412, machineId}))],
  ['machines.provision', [{organizationId: 101, prose: '0042'}]],
] as const)('a body of %s is read back as the records that were sent', (operation, sent) => {
  expect(recordsOf(operation, toBody(operation, sent))).toEqual(sent)
})
