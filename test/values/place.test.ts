import {describe, expect, test} from 'vitest'

import {lineText, placeIn, placeText, spanPlace, spanText} from '../../src/values/place.js'

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

describe('the lines of an input', () => {
  const csv = {
    file: 'sites.csv',
    layout: {
      shifts: [
        [5, 1],
        [9, 3],
      ],
    },
  } as const
  const book = {file: 'book.xlsx', layout: {sheet: 'Sites'}}

  test.each([
    [4, {file: 'sites.csv', line: 4}],
    [5, {file: 'sites.csv', line: 5, row: 4}],
    [8, {file: 'sites.csv', line: 8, row: 7}],
    [90, {file: 'sites.csv', line: 90, row: 87}],
  ])('line %d is the row that a spreadsheet shows', (line, expected) => {
    expect(placeIn(csv, line)).toEqual(expected)
  })

  test.each([
    [csv, [2, 4], 'sites.csv:2–4', 'lines 2 to 4'],
    [csv, [4, 4], 'sites.csv:4', 'line 4'],
    [csv, [4, 9], 'sites.csv:4–9 (rows 4–6)', 'lines 4 to 9 (rows 4 to 6)'],
    [csv, [9, 9], 'sites.csv:9 (row 6)', 'line 9 (row 6)'],
    [book, [16, 18], 'book.xlsx!Sites:16–18', 'rows 16 to 18'],
    [{file: 'stdin'}, [2, 3], 'stdin:2–3', 'lines 2 to 3'],
  ] as const)('of %j from and to %j', (input, span, place, text) => {
    expect(spanPlace(input, span)).toBe(place)
    expect(spanText(input, span)).toBe(text)
  })
})
