import {expect, test} from 'vitest'

import {createCut, cutMiddle, widthOf} from '../../src/core/text-width.js'

test.each([
  ['abc…', 4],
  ['\u001b[31merror\u001b[39m', 5],
  ['渋谷', 4],
  ['🚚', 2],
  ['👨‍👩‍👧', 2],
  ['e\u0301', 1],
  ['', 0],
])('the width of %j is %i', (text, width) => {
  expect(widthOf(text)).toBe(width)
})

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['Page', 0, '…'],
  ['自動販売機', 5, '自動…'],
  ['自動販売機', 4, '自…'],
  ['日本東京.csv', 12, '日本東京.csv'],
  ['😀😀😀', 4, '😀…'],
  ['👨‍👩‍👧👨‍👩‍👧', 3, '👨‍👩‍👧…'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
])('cuts %s to %i columns', (text, width, cut) => {
  expect(createCut()(text, width)).toBe(cut)
})

test.each([
  ['maxChargePrice', 14, 'maxChargePrice'],
  ['maxChargePrice', 11, 'maxCh…Price'],
  ['maxChargePrice', 10, 'maxCh…rice'],
  ['maxChargePrice', 2, 'm…'],
  ['自動販売機', 7, '自…売機'],
  ['größe\u0301größe', 5, 'gr…ße'],
])('cuts %s in the middle to %i columns', (text, width, cut) => {
  expect(cutMiddle(text, width)).toBe(cut)
})
