import {Readable} from 'node:stream'
import {describe, expect, test} from 'vitest'
import {writeOperation} from '../../../src/contract/index.js'
import {type ReadOptions, readRows} from '../../../src/formats/read/read-rows.js'
import {createHeaderFit} from '../../../src/runs/check/header-fit.js'
import {failureOf} from '../../support/client.js'
import {type MadeSheet, makeWorkbook, row, text} from '../../support/make-workbook.js'

/** A sheet with these rows of texts, from row 1 on; an empty row is not written. */
function sheet(name: string, rows: readonly (readonly string[])[], state?: string): MadeSheet {
  const cells = (texts: readonly string[], line: number) =>
    texts.map((each, place) => (each === '' ? '' : text(`${String.fromCharCode(65 + place)}${line}`, each)))
  const lines = rows.map((texts, place) => (texts.length === 0 ? '' : row(place + 1, cells(texts, place + 1))))
  return {name, rows: lines.join(''), ...(state && {state})}
}

async function choose(sheets: readonly MadeSheet[], options: ReadOptions = {}) {
  const fitOf = createHeaderFit(writeOperation('sites.update'), {merges: true})
  const stdin = Readable.from([await makeWorkbook({sheets})])
  const file = await readRows('-', {fitOf, ...options, stdin})
  await file.rows.return()
  return `${file.sheet}:${file.header?.line}`
}

const sites = [
  ['id', 'name'],
  ['1', 'Red Gate'],
]
const cover = [['Quarterly plan'], ['Written by', 'Ann']]

test.each([
  [['id', 'name', ' _note', ' '], 'all'],
  [['id', 'name', 'mood'], 'most'],
  [['name', 'timeZone', 'mood'], 'some'],
  [['name', 'mood'], 'none'],
  [['mood'], 'none'],
  [[' _note'], 'none'],
])('a header of %j fits an update of sites: %s', (cells, fit) => {
  expect(createHeaderFit(writeOperation('sites.update'), {merges: true})(cells)).toBe(fit)
})

test('a header fits a write as well when flags give the fields that it lacks', () => {
  const cells = ['accountId', 'name', 'isActive', 'maxChargePrice', 'maximumMeterSalesJumpAllowed', 'commissionTerms']
  const fitOf = (set: string[]) => createHeaderFit(writeOperation('sites.create'), {set})(cells)

  expect([fitOf([]), fitOf(['orgId=3', 'billingAddress='])]).toEqual(['some', 'all'])
})

describe('the sheet that is read', () => {
  test.each<[string, MadeSheet[], ReadOptions, string]>([
    ['the only one', [sheet('Plan', sites)], {}, 'Plan:1'],
    ['the one behind a cover page', [sheet('Cover', cover), sheet('Plan', sites)], {}, 'Plan:1'],
    ['the one behind an empty sheet', [sheet('Sheet1', []), sheet('Plan', sites)], {}, 'Plan:1'],
    [
      'the one that only holds known columns',
      [sheet('All', [['id', 'name', 'mood']]), sheet('Plan', sites)],
      {},
      'Plan:1',
    ],
    ['one below empty rows', [sheet('Plan', [[], [], ...sites])], {}, 'Plan:3'],
    [
      'one with columns that are not known',
      [sheet('Cover', cover), sheet('Plan', [['id', 'name', 'mood']])],
      {},
      'Plan:1',
    ],
    ['a hidden one beside empty ones', [sheet('Sheet1', []), sheet('Plan', sites, 'hidden')], {}, 'Plan:1'],
    ['a hidden one that is named', [sheet('Cover', cover), sheet('Plan', sites, 'hidden')], {sheet: 'Plan'}, 'Plan:1'],
    [
      'the first that people see, where any table will do',
      [sheet('Old', sites, 'hidden'), sheet('New', sites)],
      {fitOf: undefined},
      'New:1',
    ],
    ['the one that is named', [sheet('One', sites), sheet('Two', sites)], {sheet: 'Two'}, 'Two:1'],
    ['the one that is named without its case', [sheet('One', sites), sheet('Two', sites)], {sheet: 'two'}, 'Two:1'],
    ['the one that is numbered', [sheet('One', sites), sheet('Two', sites)], {sheet: '2'}, 'Two:1'],
    ['one whose name is a number', [sheet('2', sites), sheet('1', sites)], {sheet: '2'}, '2:1'],
    ['one whose header is named', [sheet('Plan', [...cover, ...sites])], {headerRow: 3}, 'Plan:3'],
    [
      'the one that fits in that row',
      [sheet('One', sites), sheet('Plan', [...cover, ...sites])],
      {headerRow: 3},
      'Plan:3',
    ],
    ['the only one, whatever it holds', [sheet('Plan', [['Nummer', 'Ort']])], {}, 'Plan:1'],
    ['the only one with a value, whatever it holds', [sheet('A', []), sheet('Plan', [['Nummer']])], {}, 'Plan:1'],
  ])('%s', async (_name, sheets, options, chosen) => {
    expect(await choose(sheets, options)).toBe(chosen)
  })
})

describe('a workbook without one such sheet', () => {
  test.each<[string, MadeSheet[], ReadOptions, string, string, string]>([
    [
      'two fit',
      [sheet('One', sites), sheet('The other', sites, 'hidden')],
      {},
      'SHEET',
      '2 sheets have these columns: "One", "The other" (hidden)',
      "--sheet One, or: --sheet 'The other'",
    ],
    [
      'only a hidden one fits',
      [sheet('Plan', [['id', 'nmae']]), sheet('Old', sites, 'hidden')],
      {},
      'SHEET',
      'only a hidden sheet has the columns of this write: "Plan" has "id", "nmae"; "Old" (hidden) has "id", "name"',
      '--sheet Plan, or: --sheet Old',
    ],
    [
      'none fits',
      [sheet('One', cover), sheet('Two', [['Nummer', 'Ort']])],
      {},
      'SHEET',
      'no sheet has the columns of this write: "One" has "Quarterly plan"; "Two" has "Nummer", "Ort"',
      '--sheet One, or: --sheet Two',
    ],
    [
      'the header is below other rows',
      [sheet('Plan', [...cover, ...sites])],
      {},
      'HEADER_ROW',
      'no header in its first row; row 3 of sheet "Plan" looks like one',
      'add: --header-row 3',
    ],
    [
      'two headers are below other rows',
      [sheet('One', [...cover, ...sites]), sheet('Two', [...cover, [], ...sites])],
      {},
      'HEADER_ROW',
      'row 3 of sheet "One", row 4 of sheet "Two"',
      '--sheet One --header-row 3, or: --sheet Two --header-row 4',
    ],
    [
      'the named one is not there',
      [sheet('One', sites)],
      {sheet: 'Sites'},
      'SHEET',
      'no sheet "Sites"; it has "One"',
      '--sheet One',
    ],
    ['the number is too high', [sheet('One', sites)], {sheet: '2'}, 'SHEET', 'no sheet "2"', '--sheet One'],
    ['it is empty', [sheet('Sheet1', [])], {}, 'EMPTY_FILE', 'Sheet1: empty: its first row', ''],
    ['the named row is empty', [sheet('Plan', sites)], {headerRow: 9}, 'EMPTY_FILE', 'row 9 must name the columns', ''],
  ])('says so: %s', async (_name, sheets, options, code, message, hint) => {
    const failure = await failureOf(choose(sheets, options))

    expect(failure).toMatchObject({code, exit: 'invalid', message: expect.stringContaining(message)})
    expect(failure.hints.join(' ')).toContain(hint)
  })
})
