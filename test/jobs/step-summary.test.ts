import {readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {ErrorEntry} from '../../src/core/errors.js'
import {appendSummary, renderSummary} from '../../src/jobs/metrics/step-summary.js'
import {makeFolder} from '../support/folder.js'

const refused = (line: number, message: string): ErrorEntry => ({
  ...{code: 'SITE_VALIDATION', exit: 5, changed: 'none', retry: 'after-fix'},
  ...{file: 'sites.csv', line, column: 3, message, hint: 'Fix it: vendorctl sites update --file sites.rejects.csv'},
})
const write = {command: 'sites update', exit: 6, isDryRun: false}

test('a write is summarized by its counts, its refused rows, and the next command, which stands once', () => {
  const rows = {applied: 1_234, refused: 2}
  const requests = {used: 7, quotaLeft: 4_990, quotaLeftIs: 'counted'} as const
  const errors = [refused(4, 'Too low.'), refused(9, 'Too <b>high</b> | `x`\n::error::y')]

  const text = renderSummary({...write, errors, measures: {file: 'sites.csv', rows, requests, profile: 'production'}})

  expect(text).toBe(
    [
      '### vendorctl sites update: partial (exit code 6)',
      '',
      '| file | applied | refused | requests | quota left | profile |',
      '| --- | --- | --- | --- | --- | --- |',
      '| sites.csv | 1,234 | 2 | 7 | 4,990 | production |',
      '',
      '| where | code | message |',
      '| --- | --- | --- |',
      '| sites.csv:4:3 | SITE_VALIDATION | Too low. |',
      '| sites.csv:9:3 | SITE_VALIDATION | Too &lt;b>high&lt;/b> \\| \\`x\\`<br>::error::y |',
      '',
      '- Fix it: vendorctl sites update --file sites.rejects.csv',
      '',
      '',
    ].join('\n'),
  )
})

test('jobs are summarized by a row each', () => {
  const jobs = [
    {name: 'a|b', command: 'reports transactions', exit: 137, seconds: 1.5},
    {name: 'c', command: 'sites create', exit: null, seconds: null},
  ]

  const text = renderSummary({
    command: 'jobs run',
    exit: 1,
    isDryRun: false,
    errors: [refused(1, 'x')],
    measures: {jobs},
  })

  expect(text.split('\n').slice(2, 6)).toEqual([
    '| job | command | end | time |',
    '| --- | --- | --- | --- |',
    '| a\\|b | reports transactions | failure (137) | 1.5 s |',
    '| c | sites create | not run |  |',
  ])
})

test('a summary stays short, however many rows were refused', () => {
  const errors = Array.from({length: 5_000}, (_, row) => refused(row + 2, 'x'.repeat(10_000)))

  const text = renderSummary({...write, errors, measures: {diff: '| ~ | 500 | 777 |\n'}})

  expect(text).toContain('\n| ~ | 500 | 777 |\n')
  expect(text.length).toBeLessThan(50_000)
  expect(text).toContain('… and 4,950 more.')
})

test('a summary is added to what is there, unless GitHub would show nothing of it then', async () => {
  const folder = makeFolder()
  const path = join(folder, 'summary.md')
  writeFileSync(path, `${'x'.repeat(1024 * 1024 - 10)}\n`)

  const results = [await appendSummary(path, '12345678\n'), await appendSummary(path, 'y')]
  const size = statSync(path).size
  const end = readFileSync(path, 'utf8').slice(-10)
  const nowhere = await appendSummary(join(folder, 'missing', 'x.md'), 'text')

  expect(results).toEqual([undefined, 'the summary of this step has no room left'])
  expect([size, end]).toEqual([1024 * 1024, '\n12345678\n'])
  expect(nowhere).toMatch(/missing.x\.md cannot be written \(ENOENT\)$/)
})
