import type {Day, DayState} from '../reports/coverage.js'

const signs: Record<DayState, string> = {proven: '#', partly: '+', unread: '.'}
const legend = '# proven   + partly, too early or not proven   . not read'

/** One line a month, one sign a day. */
export function renderCalendar(days: readonly Day[], counts: Record<DayState, number>): string {
  const months = Map.groupBy(days, ({day}) => day.slice(0, 7))
  const lines = [...months].map(([month, ofMonth]) => {
    const first = Number(ofMonth[0]?.day.slice(8)) - 1
    return `${month}  ${' '.repeat(first)}${ofMonth.map(({state}) => signs[state]).join('')}`
  })
  const ruler = `         ${'1...5....10...15...20...25...30.'.slice(0, 31)}`
  const sum = `${counts.proven} days proven, ${counts.partly} partly, ${counts.unread} not read`
  return [ruler, ...lines, '', legend, sum, ''].join('\n')
}
