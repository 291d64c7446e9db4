import {expect, test} from 'vitest'
import {findPicture} from '../../../src/cli/summary/picture-output.js'
import type {SummaryFlags} from '../../../src/cli/summary/summary-output.js'

const find = (flags: SummaryFlags) => findPicture(flags, {isJson: true})

test.for([
  [{output: 'html'}, 'html'],
  [{output: 'svg', chart: 'days'}, 'svg'],
  [{'output-file': 'night.html'}, 'html'],
  [{'output-file': 'days.SVG', chart: 'sites'}, 'svg'],
  [{output: 'csv', 'output-file': 'night.html'}, undefined],
  [{output: 'csv', by: ['site']}, undefined],
  [{'output-file': '-'}, undefined],
] as const)('%j is drawn as %s', ([flags, picture]) => {
  expect(find(flags)).toBe(picture)
})

test.for([
  [{output: 'html', by: ['site']}, '--by has no effect on a page'],
  [{output: 'html', where: ['lines>3']}, '--where has no effect on a page'],
  [{output: 'svg', chart: 'days', sort: 'lines'}, '--sort has no effect on a chart'],
  [{'output-file': 'night.html', limit: 3}, '--limit has no effect'],
  [{output: 'html', columns: 'lines'}, '--columns has no effect'],
  [{output: 'html', delimiter: ';'}, '--delimiter has no effect'],
  [{output: 'html', chart: 'days'}, '--chart is for -o svg'],
  [{chart: 'days'}, '--chart is for -o svg'],
  [{output: 'svg'}, '--chart says which'],
] as [SummaryFlags, string][])('%j is refused: %s', ([flags, message]) => {
  expect(() => find(flags)).toThrow(message)
})
