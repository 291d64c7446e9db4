import type {Day, DayState, LostFile} from '../../reports/verify/days-read.js'
import {counted} from '../../values/counted.js'

export function countDays(days: readonly Day[]): {proven: number; partly: number; unread: number} {
  const of = (state: Day['state']) => days.filter((day) => day.state === state).length
  return {proven: of('proven'), partly: of('partly'), unread: of('unread')}
}

const signs: Record<DayState, string> = {proven: '#', partly: '+', unread: '.'}
const lostSign = 'o'
const legend = '# proven   + partly, too early or not proven   . not read'
const lostLegend = `${lostSign} proven, and its file is gone or was changed since`
const filesNamed = 5

/** One line per month, one character per day; then the files of proven days that are gone or changed. */
export function renderCalendar(
  days: readonly Day[],
  counts: Record<DayState, number>,
  lost: readonly LostFile[],
): string {
  const months = Map.groupBy(days, ({day}) => day.slice(0, 7))
  const lines = [...months].map(([month, ofMonth]) => {
    const first = Number(ofMonth[0]?.day.slice(8)) - 1
    return `${month}  ${' '.repeat(first)}${ofMonth.map(signOf).join('')}`
  })
  const ruler = `         ${'1...5....10...15...20...25...30.'.slice(0, 31)}`
  const sum = `${counted(counts.proven, 'day')} proven, ${counts.partly} partly, ${counts.unread} not read`
  return [ruler, ...lines, '', legend, ...(lost.length > 0 ? [lostLegend] : []), sum, ...renderLost(lost), ''].join(
    '\n',
  )
}

function signOf({state, file}: Day): string {
  return file === undefined ? signs[state] : lostSign
}

function renderLost(lost: readonly LostFile[]): string[] {
  const more = lost.length - filesNamed
  return [
    ...lost.slice(0, filesNamed).map(({file, is}) => `${file} ${is === 'gone' ? 'is gone' : 'was changed'}`),
    ...(more > 0 ? [`… and ${counted(more, 'more file')} (all of them with --json)`] : []),
  ]
}
