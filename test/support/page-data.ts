import {type PageCounts, type PageData, type PageTop, topGroups} from '../../src/formats/write/html/page-data.js'

/** A page of a made-up week with everything that a page can have; `changes` replace parts of it. */
export function samplePage(changes: Partial<PageData> = {}): PageData {
  const days = ['01', '02', '03', '04', '05', '06', '07']
  return {
    title: 'Transactions 2024-07-01 … 2024-07-07',
    filters: ['--site 1001,1002'],
    range: {from: '2024-07-01T00:00:00', to: '2024-07-07T23:59:59'},
    source: 'https://service.example/v2.1, profile production',
    totals: {...counts(420, 12, '1234.50'), batches: 300, taxCharged: '98.76', commission: '12.30'},
    days: days.map((day, place) => ({
      day: `2024-07-${day}`,
      ...counts(50 + place * 3, place % 3, `${150 + place}.25`),
      ...(day === '07' && {isPart: true}),
    })),
    before: {
      ...{from: '2024-06-25', to: '2024-06-30', of: {from: '2024-07-01', to: '2024-07-06'}},
      ...counts(300, 10, '900.00'),
    },
    heat: days.flatMap((_day, weekday) =>
      [0, 8, 12, 18, 23].map((hour) => ({weekday, hour, ...counts(weekday + hour, 0, `${weekday * hour}.50`)})),
    ),
    sites: top('Site', 2, 2),
    machines: top('Machine', topGroups, 43),
    products: top('Product', topGroups, 120),
    failed: top('Machine', 3, 3),
    coverage: {
      provenDays: 3,
      holes: [
        {from: '2024-07-03', to: '2024-07-04', state: 'unread'},
        {from: '2024-07-06', to: '2024-07-06', state: 'partly'},
      ],
      otherDays: 1,
      command: 'vendorctl reports coverage --site 1001,1002 --start 2024-07-01 --end 2024-07-07 --profile production',
    },
    alerts: {
      raisedFrom: '2024-04-09T02:10:00',
      command: 'vendorctl alerts list --site 1001,1002 --profile production --where isCleared=false --output csv',
      codes: [
        {code: 'NS', meaning: 'No sales', open: 7, machines: 6, oldest: '2024-06-12T08:00:00'},
        {code: 'X9', meaning: null, open: 2, machines: 1, oldest: null},
      ],
    },
    command: 'vendorctl reports summary --site 1001,1002 --start 2024-07-01 --end 2024-07-07',
    notes: ['3 empty values of lineItem.commission, in no total'],
    generatedAt: '2024-07-08T02:10:00Z',
    tool: 'vendorctl 0.1.0',
    ...changes,
  }
}

/** A page of an input without lines. */
export function emptyPage(): PageData {
  const none = {count: 0, groups: []}
  const totals = {...counts(0, 0, '0'), batches: 0, taxCharged: '0', commission: '0'}
  const {title, source, command, generatedAt, tool} = samplePage()
  const nothing = {sites: none, machines: none, products: none, failed: none, days: [], heat: []}
  return {title, filters: [], source, totals, ...nothing, command, notes: [], generatedAt, tool}
}

function counts(lines: number, failedLines: number, totalPrice: string): PageCounts {
  return {lines, failedLines, quantity: String(lines - failedLines), totalPrice, failedPrice: `${failedLines}.00`}
}

function top(word: string, listed: number, count: number): PageTop {
  const groups = Array.from({length: listed}, (_, place) => ({
    id: String(5001 + place),
    name: place === 4 ? null : `${word} <${place + 1}> & "Söhne" ${'long '.repeat(place % 3)}`.trim(),
    ...counts(90 - place, place % 4, `${900 - place * 37}.10`),
  }))
  return {count, groups, ...(count > listed && {others: counts(40, 2, '77.70')})}
}
