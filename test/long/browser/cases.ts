import type {PageCounts, PageData, PageGroup, PageTop} from '../../../src/formats/write/html/page-data.js'
import {addCounts} from '../../../src/formats/write/html/periods.js'
import {millisecondsPerDay, toDateTime} from '../../../src/values/date-time.js'
import {emptyPage, samplePage} from '../../support/page-data.js'

const names = [
  'Central Station',
  'University Hospital Zürich',
  'Northside Shopping Centre, level -1, beside the lifts to the car park',
  'מרכז הקניות',
  '東京駅 八重洲口',
  '🏥 Clinic West',
  '<script>alert(1)</script>',
  'Donaudampfschifffahrtsgesellschaftskapitänskajüte',
  'rtl \u202eoverride, \u0000 and \u001b[31m',
]

type Shape = {days?: number; start?: number; groups?: number; factor?: (day: number) => number}

/** A page of made-up sales that look like those of machines: fewer at weekends, most at noon. */
function sales({days = 31, start = Date.UTC(2024, 6, 1), groups = 143, factor = () => 1}: Shape): PageData {
  const list = Array.from({length: days}, (_, place) => {
    const moment = start + place * millisecondsPerDay
    const isWeekend = [0, 6].includes(new Date(moment).getUTCDay())
    const lines = Math.round((7000 + 1500 * wave(place)) * (isWeekend ? 0.45 : 1))
    return {
      day: toDateTime(moment).slice(0, 10),
      ...counts(lines, lines * (1.9 + 0.1 * wave(place + 3)) * factor(place)),
    }
  })
  const heat = Array.from({length: 168}, (_, place) => {
    const [weekday, hour] = [Math.floor(place / 24), place % 24]
    const share = Math.exp(-((hour - 12.5) ** 2) / 14) + 0.6 * Math.exp(-((hour - 8) ** 2) / 4)
    const lines = Math.round(share * (weekday > 4 ? 700 : 2100) * (1 + 0.1 * wave(place)))
    return {weekday, hour, ...counts(lines, lines * 1.9)}
  }).filter(({lines}) => lines > 0)
  const [from, to] = [list[0]?.day ?? '', list.at(-1)?.day ?? '']
  const tops = {
    sites: top(Math.min(groups, 12), factor),
    machines: top(groups, factor),
    products: top(groups * 2, factor),
  }
  return {
    ...samplePage({
      title: `Transactions ${from} … ${to}`,
      filters: [],
      days: list,
      heat,
      ...tops,
      failed: top(groups, factor),
    }),
    range: {from: `${from}T00:00:00`, to: `${to}T23:59:59`},
    totals: {...addCounts(list), batches: days * 5000, taxCharged: '29706.18', commission: '7797.872'},
  }
}

/** A number from -1 to 1 that looks like chance, and is the same in each run. */
function wave(place: number): number {
  return Math.sin(place * 12.9898) * Math.cos(place * 78.233)
}

function counts(lines: number, price: number): PageCounts {
  const failedLines = Math.round(lines * 0.012)
  const exact = {
    quantity: String(lines - failedLines),
    totalPrice: toDecimal(price),
    failedPrice: toDecimal(failedLines * 1.5),
  }
  return {lines, failedLines, ...exact}
}

function toDecimal(value: number): string {
  return Math.abs(value) < 1e15 ? value.toFixed(2) : `${BigInt(Math.round(value))}.00`
}

function top(count: number, factor: (day: number) => number): PageTop {
  const groups = Array.from({length: Math.min(20, count)}, (_, place): PageGroup => {
    const name = `${names[place % names.length]}${place < names.length ? '' : ` ${place}`}`
    return {
      id: String(5001 + 7 * place),
      name,
      ...counts(Math.round(22_000 / (place + 1.5)), (43_000 * factor(place)) / (place + 1.4)),
    }
  })
  return {count, groups, ...(count > groups.length && {others: counts(9000, 17_000)})}
}

/** Pages as they come in life, and at their limits. */
export const cases: Readonly<Record<string, PageData>> = {
  month: sales({}),
  sample: samplePage(),
  'one-day-one-site': {
    ...sales({days: 1, groups: 1}),
    coverage: {provenDays: 1, holes: [], otherDays: 0, command: ''},
    alerts: {codes: [], command: ''},
    notes: [],
  },
  '60-days': sales({days: 60, start: Date.UTC(2023, 11, 20)}),
  '400-days': sales({days: 400, start: Date.UTC(2023, 5, 20)}),
  '11-years': sales({days: 4000, start: Date.UTC(2014, 0, 1)}),
  refunds: sales({days: 14, factor: (day) => (day % 3 === 1 ? -0.6 : 1)}),
  'only-refunds': sales({days: 9, factor: () => -1}),
  huge: sales({factor: () => 1e14}),
  'no-sale': emptyPage(),
}
