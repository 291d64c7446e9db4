import {expect, test} from 'vitest'
import {fillTemplate} from '../../../src/reports/run/export-target.js'
import {failureOfCall} from '../../support/failure-of-call.js'

const values = {
  now: Date.UTC(2024, 1, 29, 23, 5, 7),
  start: '2024-02-01T00:00:00',
  end: '2024-02-29T23:59:59.999',
  name: '.../night ly/ü',
}

test.each([
  ['tx-{date}.csv', 'tx-2024-02-29.csv'],
  ['tx-{date}-{time}.csv.gz', 'tx-2024-02-29-230507.csv.gz'],
  ['{start}_{end}.csv', '2024-02-01_2024-02-29.csv'],
  ['out/{name}.csv', 'out/-night-ly-ü.csv'],
  ['plain.csv', 'plain.csv'],
])('%s becomes %s', (path, expected) => {
  expect(fillTemplate(path, values)).toBe(expected)
})

test.each(['{machine}', '{}', '{Date}'])('%s is not known', (word) => {
  expect(failureOfCall(() => fillTemplate(`a-${word}.csv`, values))).toMatchObject({exit: 'usage', code: 'TEMPLATE'})
})

test.each(['start', 'end', 'name'])('{%s} without a value is not left empty', (word) => {
  expect(failureOfCall(() => fillTemplate(`{${word}}.csv`, {...values, [word]: undefined})).exit).toBe('usage')
})
