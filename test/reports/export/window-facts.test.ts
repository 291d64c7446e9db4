import {expect, test} from 'vitest'
import {gradeOf, newFacts, type WindowFacts} from '../../../src/reports/export/window-facts.js'

const facts = (changes: Partial<WindowFacts>): WindowFacts => ({...newFacts('', ''), ...changes})
const several = {pages: 3, totalPages: 3, proven: 2, order: 'ascending'} as const

test.each<[string, Partial<WindowFacts>, string]>([
  ['nothing came', {}, 'A'],
  ['one answer held all of it', {pages: 1, totalPages: 1}, 'A'],
  ['one answer of several was read', {pages: 1, totalPages: 2, order: 'ascending', unproven: 1}, 'C'],
  ['every boundary was proven', several, 'B'],
  ['a boundary was not proven', {...several, unproven: 1}, 'C'],
  ['there is no order in which a boundary means anything', {...several, order: 'none'}, 'C'],
  ['it changed', {...several, state: 'drifted'}, 'D'],
  ['it changed, and one answer held it', {pages: 1, totalPages: 1, state: 'drifted'}, 'D'],
])('when %s', (_, changes, grade) => {
  expect(gradeOf(facts(changes))).toBe(grade)
})
