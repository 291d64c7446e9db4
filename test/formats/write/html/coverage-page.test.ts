import {parse, serialize} from 'parse5'
import {describe, expect, test} from 'vitest'
import {type CoverageData, renderCoveragePage} from '../../../../src/formats/write/html/coverage-page.js'
import {expectGolden} from '../../../support/golden.js'

const coverage: CoverageData = {
  report: 'transactions',
  days: [
    {day: '2024-02-28', state: 'proven'},
    {day: '2024-02-29', state: 'proven', file: 'gone'},
    {day: '2024-03-01', state: 'partly'},
    {day: '2024-03-02', state: 'unread'},
    {day: '2024-03-03', state: 'proven', file: 'changed'},
  ],
  holes: [['2024-03-01', '2024-03-02']],
  lost: [
    {file: '/reports/<b>&"\u202e.csv', is: 'gone'},
    {file: '/reports/tx.csv', is: 'changed'},
  ],
  source: 'https://service.example, v2.1, profile production',
  command: 'vendorctl reports coverage --start 2024-02-28 --end 2024-03-03',
  generatedAt: '2024-03-04T02:10:00Z',
  tool: 'vendorctl 0.1.0',
}

describe('the page about coverage', () => {
  test('is this text, which says the state of each day in words', () => {
    const page = renderCoveragePage(coverage)

    expectGolden('pages/coverage.html', page)
    expect(serialize(parse(page))).toContain('/reports/&lt;b&gt;&amp;"\\u202e.csv')
  })

  test('lists the first gaps, and names the command that lists all', () => {
    const holes = Array.from({length: 25}, (): [string, string] => ['2024-03-01', '2024-03-02'])
    const page = renderCoveragePage({...coverage, holes})

    expect(page).toContain('25 gaps with 50 days')
    expect(page).toContain('and 5 more')
    expect(page).toContain(`${coverage.command} --json`)
  })

  test('says so when nothing is missing', () => {
    const page = renderCoveragePage({...coverage, holes: [], lost: []})

    expect(page).toContain('every day is proven complete')
    expect(page).not.toContain('--fill')
  })
})
