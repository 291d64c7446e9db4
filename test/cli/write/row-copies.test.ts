import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {createSeals} from '../../../src/runs/report/rejects-seal.js'
import type {RunReport} from '../../../src/runs/report/report.js'
import {needsRejects, openCopies} from '../../../src/runs/report/row-copies.js'
import type {RowOutcome} from '../../../src/runs/rows/phases.js'
import {makeFolder} from '../../support/folder.js'

const none = {applied: 0, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 0, unchanged: 0}
const applied: RowOutcome = {line: 2, fate: 'applied'}
const unchanged: RowOutcome = {line: 7, fate: 'unchanged', code: 'UNCHANGED'}
const left: RowOutcome = {line: 9, fate: 'unsent', code: 'NOT_SENT'}

test('rows that change nothing are no reason for a rejects file', () => {
  expect(needsRejects({rows: {...none, applied: 1, unchanged: 1}, outcomes: [applied, unchanged]})).toBe(false)
})

test('rows that were left out of a run that began are a reason for one', () => {
  expect(
    needsRejects({rows: {...none, applied: 1, unsent: 1, unchanged: 1}, outcomes: [applied, unchanged, left]}),
  ).toBe(true)
})

test('a run that sent nothing leaves the input as it is', () => {
  expect(needsRejects({rows: {...none, unsent: 1}, outcomes: [left]})).toBe(false)
})

test('a dry run writes no copy, though another run applied some of its rows and the rest would be sent', async () => {
  const folder = makeFolder()
  const file = join(folder, 'sites.csv')
  writeFileSync(file, 'id\n1\n2\n')
  const copies = await openCopies({file, 'dry-run': true}, createSeals(folder))
  const rows = {...none, applied: 1, unsent: 1}
  const report = {dryRun: true, rows, outcomes: [applied, {...left, line: 3}], input: {format: 'csv'}}

  const written = await copies.write({...report, operation: 'sites.update', file} as unknown as RunReport)

  expect(written).toEqual({copies: [], kept: [], failures: []})
  expect(readdirSync(folder)).toEqual(['sites.csv'])
})
