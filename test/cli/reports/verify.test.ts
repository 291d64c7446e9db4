import {expect, test} from 'vitest'
import {differs} from '../../../src/cli/reports/verify.js'
import type {Manifest} from '../../../src/reports/export/manifest.js'
import type {Change} from '../../../src/reports/verify/found-changes.js'

const since = 'Records may have come or gone since.'
const earlier = 'What is not in it may be in an earlier file of nightly.'

function tell(askedAs: [string, string], kinds: readonly Change['change'][]) {
  const range = {asked: ['2024-07-01T00:00:00', '2024-07-02T00:00:00'], askedAs}
  const manifest = {report: 'reports.transactions', timeBasis: 'local', range} as unknown as Manifest
  const changes = kinds.map((change, index): Change => ({id: `B${index}`, change}))
  const {message, hint = ''} = differs('a.csv', manifest, {changes, compared: 9, ranges: [], errors: []})
  return {message, hint: hint.split('\n')[0] ?? ''}
}

test('a record that a file of a name lacks may be in an earlier one: it is not called added', () => {
  const [plain, named] = [
    ['2024-07-01', 'open'],
    ['since last nightly', 'open'],
  ] as const

  expect(tell([...plain], ['added'])).toEqual({
    message: 'of 9 records 1 differs from a.csv: B0 (added)',
    hint: expect.stringContaining(since),
  })
  expect(tell([...named], ['added'])).toEqual({
    message: 'of 9 records 1 differs from a.csv: B0 (not in it)',
    hint: earlier,
  })
  expect(tell([...named], ['changed']).hint).toMatch(new RegExp(`^${since}`))
  expect(tell([...named], ['added', 'removed']).hint).toContain(`${earlier} ${since}`)
})
