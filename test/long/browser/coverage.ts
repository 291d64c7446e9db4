import type {CoverageData} from '../../../src/formats/write/html/coverage-page.js'
import {millisecondsPerDay, toDateTime} from '../../../src/values/date-time.js'

const first = Date.UTC(2023, 10, 20)

function stateOf(place: number): Omit<CoverageData['days'][number], 'day'> {
  if (place > 20 && place < 26) return {state: 'unread'}
  if (place === 40 || place === 150) return {state: 'partly'}
  if (place > 80 && place < 90) return {state: 'proven', file: place < 86 ? 'gone' : 'changed'}
  return {state: 'proven'}
}

/** Half a year in which every state of a day happens. */
export const coverage: CoverageData = {
  report: 'transactions',
  days: Array.from({length: 180}, (_, place) => ({
    day: toDateTime(first + place * millisecondsPerDay).slice(0, 10),
    ...stateOf(place),
  })),
  holes: [
    ['2023-12-11', '2023-12-15'],
    ['2023-12-30', '2023-12-30'],
    ['2024-04-18', '2024-04-18'],
  ],
  lost: [
    {file: '/srv/reports/a folder with a long name that goes on and on/tx-2024-02-09-2024-02-13.csv', is: 'gone'},
    {file: '/srv/reports/<b>.csv', is: 'changed'},
  ],
  source: 'https://service.example, v2.1, profile production',
  command: 'vendorctl reports coverage --start 2023-11-20 --end 2024-05-17 --profile production',
  generatedAt: '2024-05-18T02:10:00Z',
  tool: 'vendorctl 0.1.0',
}
