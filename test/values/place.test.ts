import {expect, test} from 'vitest'

import {lineText, placeText} from '../../src/values/place.js'

test.each([
  [{file: 'sites.csv'}, 'sites.csv'],
  [{file: 'sites.csv', line: 28}, 'sites.csv:28'],
  [{file: 'sites.csv', line: 28, column: 3}, 'sites.csv:28:3'],
  [{file: 'sites.csv', line: 28, column: 3, row: 28}, 'sites.csv:28:3'],
  [{file: 'sites.csv', line: 28, column: 3, row: 16}, 'sites.csv:28:3 (row 16)'],
  [{file: 'book.xlsx', sheet: 'Sites', line: 16, column: 3}, 'book.xlsx!Sites:16:C'],
  [{file: 'book.xlsx', sheet: 'Sites', line: 16, column: 28}, 'book.xlsx!Sites:16:AB'],
  [{}, ''],
])('the place %j is shown as %j', (place, expected) => {
  expect(placeText(place)).toBe(expected)
})

test.each([
  [{line: 28}, 'line 28'],
  [{line: 28, row: 16}, 'line 28 (row 16)'],
  [{sheet: 'Sites', line: 16}, 'row 16'],
])('the line of %j is shown as %j', (place, expected) => {
  expect(lineText(place)).toBe(expected)
})
