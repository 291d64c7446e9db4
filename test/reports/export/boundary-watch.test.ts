import {expect, test} from 'vitest'
import type {Page} from '../../../src/client/types.js'
import {watchBoundaries} from '../../../src/reports/export/boundary-watch.js'
import type {ExportReading} from '../../../src/reports/export/export-reading.js'
import {newFacts, type PageBoundary} from '../../../src/reports/export/window-facts.js'

const range = {from: '2024-07-01T00:00:00', to: '2024-07-02T00:00:00'}
/** Before page 2 of pages of 5: the tiny page across it has 2 records and is the third. */
const boundary: PageBoundary = {page: 2, size: 5, last: 'text A', first: 'text B'}
const isLast = {...boundary, first: null}
const page = (ids: string[], more: Partial<Page> = {}) =>
  ({number: 3, size: 2, totalPages: 9, count: ids.length, records: ids.map((id) => ({id})), ...more}) as Page

/** Checks one boundary by the answer to its tiny page, in an order that cannot be repaired. */
async function check(asked: PageBoundary, answer: Page | undefined) {
  const facts = {...newFacts(range.from, range.to), order: 'none' as const}
  const counts = {requests: 0, probes: 0}
  const reading = {options: {pagesInFlight: 1}, counts, readOne: async () => answer}
  const watch = watchBoundaries(reading as unknown as ExportReading, {partition: 1, ...range, facts})
  watch.add(asked)
  const isSettled = await watch.end()
  const {proven, unproven, waiting} = facts
  return {isSettled, proven, unproven, waiting: waiting.length, probes: counts.probes}
}

const proven = {isSettled: true, proven: 1, unproven: 0, waiting: 0, probes: 1}
const unproven = {...proven, proven: 0, unproven: 1}
const broken = {...unproven, isSettled: false, unproven: 0, waiting: 1}

test.each([
  ['is proven by two records that follow each other', boundary, page(['A', 'B']), proven],
  ['is broken by a record between them', boundary, page(['A', 'C']), broken],
  ['is broken where the service has no such page', boundary, undefined, broken],
  ['is broken by an empty page, of whatever size', boundary, page([], {size: 5}), broken],
  ['stays unproven where another size is served', boundary, page(['A', 'B'], {size: 5}), unproven],
  ['before the end is proven by the last record of the last page', isLast, page(['A'], {totalPages: 3}), proven],
  ['before the end is broken where pages follow', isLast, page(['A'], {totalPages: 4}), broken],
  ['before the end is broken by another last record', isLast, page(['A', 'C'], {totalPages: 3}), broken],
])('a boundary between two pages %s', async (_, asked, answer, expected) => {
  expect(await check(asked, answer)).toEqual(expected)
})

/** Repairs the boundary between pages that come again as these, in turns, each of them to its end. */
async function repair(asked: PageBoundary, tiny: string[], before: string[], after: string[]) {
  const facts = {...newFacts(range.from, range.to), order: 'ascending' as const}
  const asks: string[] = []
  const reading = {
    ...{options: {pagesInFlight: 1}, counts: {requests: 0, probes: 0}, rows: 0},
    readOne: async (_: object, number: number, size: number) => {
      asks.push(`${number} of ${size}`)
      return size === 5 ? page(number === 1 ? before : after, {number, size}) : page(tiny, {totalPages: 3})
    },
    sink: {
      render: ({records}: Page) => ({rows: 0, records: 0, keys: Array.from(records, ({id}) => `text ${id}`)}),
      commit: async () => undefined,
    },
  }
  const watch = watchBoundaries(reading as unknown as ExportReading, {partition: 1, ...range, facts})
  watch.add(asked)
  const isSettled = await watch.end()
  const {requests, probes} = reading.counts
  return {isSettled, asks: asks.length, counted: requests + probes, drift: facts.drift.length}
}

const [tiny, both] = [1, 2]
test.each([
  ['the first record behind it is before it by now', boundary, 'AC', 'XABYZ', 'CDEFG', true, tiny + both],
  ['both sides share a record by now', boundary, 'AC', 'WXYZA', 'ABCDE', true, tiny + both],
  ['the tiny page across what is there now proves it', boundary, 'AB', 'WXYZA', 'BCDEF', true, tiny],
  ['no page follows, and the last one is not full', isLast, 'AC', 'YZA', '', true, tiny + both],
  ['no page follows, and the last one is full', isLast, 'AC', 'WXYZA', '', false, tiny + 3 * both],
  ['records lie between them still', boundary, 'AX', 'WXYZA', 'CDEFB', false, tiny + 3 * (both + tiny)],
  ['its last record is gone', boundary, 'AC', 'VWXYZ', 'BCDEF', false, tiny + 3 * both],
])('a boundary that was broken is read at most 3 times: %s', async (_, asked, between, before, after, is, asks) => {
  const told = await repair(asked, [...between], [...before], [...after])

  expect(told).toEqual({isSettled: is, asks, counted: asks, drift: asks === tiny ? 0 : 1})
})
