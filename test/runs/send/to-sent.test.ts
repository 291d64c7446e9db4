import {expect, test} from 'vitest'

import {toSent} from '../../../src/runs/rows/row-content.js'
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
