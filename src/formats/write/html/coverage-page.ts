import {counted, thousands} from '../../../values/counted.js'
import {daysOfMonth} from '../../../values/date-time.js'
import {weekdays} from './heatmap.js'
import {html, type Markup, numbers, type Part, renderTable, toCode} from './markup.js'
import {renderPage, type Section} from './page.js'
import {daysOf, percent, toSpan} from './periods.js'

/** Contents of the calendar of an export. */
export type CoverageData = {
  /** The word for it: `transactions`. */
  readonly report: string
  readonly days: readonly CoverageDay[]
  /** Runs of days that are not proven, as first and last day. */
  readonly holes: readonly (readonly [from: string, to: string])[]
  /** Files of proven days that are gone or changed since. */
  readonly lost: readonly {readonly file: string; readonly is: 'gone' | 'changed'}[]
  readonly source: string
  /** Shows the same again and can be pasted: `vendorctl reports coverage --start 2024-01`. */
  readonly command: string
  readonly generatedAt: string
  readonly tool: string
}

type CoverageDay = {
  readonly day: string
  readonly state: 'proven' | 'partly' | 'unread'
  readonly file?: 'gone' | 'changed'
}

const words = {proven: 'proven', partly: 'partly', unread: 'not read', gone: 'gone', changed: 'changed'}
const meanings = {
  proven: 'An export of grade A or B contains all of the day and was made after it had ended on every machine.',
  partly: 'Some of the day was read, or it was read too early or without proof.',
  unread: 'No export of this machine contains any of the day.',
  gone: 'Proven, and its file is gone since.',
  changed: 'Proven, and its file was changed since.',
}
const states = ['proven', 'partly', 'unread', 'gone', 'changed'] as const
const mostRows = 20

/** The page of `reports coverage --html`: a calendar in which each day says in words whether it is proven complete. */
export function renderCoveragePage(data: CoverageData): string {
  const {report, days, holes, lost, source, command, generatedAt, tool} = data
  const [first, last] = [days[0]?.day, days.at(-1)?.day]
  const count = (state: CoverageDay['state']) => days.filter((day) => day.state === state).length
  const tile = (state: CoverageDay['state'], name: string) => {
    return {name, value: thousands(count(state)), note: percent(count(state), days.length)}
  }
  return renderPage({
    title: first === undefined || last === undefined ? 'Coverage' : `Coverage ${toSpan(first, last)}`,
    facts: [
      ['Report', report],
      ['From', source],
      ['Exports', 'those of this machine with the same key and filters'],
      ['Command', toCode(command)],
    ],
    tiles: [
      {...tile('proven', 'Days proven complete'), isMain: true},
      tile('partly', 'Partly'),
      tile('unread', 'Not read'),
    ],
    sections: [
      {title: 'Calendar', content: [toLegend(days), html`<div class="months">${toMonths(days)}</div>`]},
      holeSection(holes, command),
      ...(lost.length > 0 ? [lostSection(lost, command)] : []),
    ],
    footer: [`Made by ${tool} at ${generatedAt}.`],
  })
}

function stateOf({state, file}: CoverageDay): keyof typeof words {
  return file ?? state
}

function toLegend(days: readonly CoverageDay[]): Markup {
  const used = states.filter((state) => days.some((day) => stateOf(day) === state))
  return html`<dl class="legend">${used.map((state) => html`<div><dt class="${state}">${words[state]}</dt><dd>${meanings[state]}</dd></div>\n`)}</dl>\n`
}

/** A table for each month: a row is a week, from Monday on. */
function toMonths(days: readonly CoverageDay[]): Markup[] {
  const names = weekdays.map((name) => html`<th scope="col" abbr="${name}">${name.slice(0, 2)}</th>`)
  return [...Map.groupBy(days, ({day}) => day.slice(0, 7))].map(([month, ofMonth]) => {
    const known = new Map(ofMonth.map((day) => [Number(day.day.slice(8)), stateOf(day)]))
    const first = (new Date(`${month}-01T00:00:00Z`).getUTCDay() + 6) % 7
    const length = daysOfMonth(Number(month.slice(0, 4)), Number(month.slice(5)))
    const weeks = Array.from({length: Math.ceil((first + length) / 7)}, (_, week) => {
      const cells = weekdays.map((_, weekday) => toDay(week * 7 + weekday - first + 1, length, known))
      return html`<tr>${cells}</tr>\n`
    })
    return html`<table class="month">
<caption>${month}</caption>
<thead><tr>${names}</tr></thead>
<tbody>
${weeks}</tbody>
</table>
`
  })
}

function toDay(day: number, length: number, known: ReadonlyMap<number, keyof typeof words>): Markup {
  const state = known.get(day)
  if (day < 1 || day > length) return html`<td></td>`
  return state === undefined
    ? html`<td class="id">${day}</td>`
    : html`<td class="${state}">${day}<span>${words[state]}</span></td>`
}

function holeSection(holes: CoverageData['holes'], command: string): Section {
  if (holes.length === 0) return {title: 'Gaps', text: 'None: every day is proven complete.'}
  const all = holes.reduce((sum, hole) => sum + lengthOf(hole), 0)
  const table = renderTable({
    caption: `${counted(holes.length, 'gap')} with ${counted(all, 'day')} not proven complete`,
    columns: [{name: 'First day'}, {name: 'Last day'}, ...numbers('Days')],
    rows: holes.slice(0, mostRows).map((hole): Part[] => [...hole, thousands(lengthOf(hole))]),
    ...(holes.length > mostRows && {more: {count: holes.length - mostRows, command: `${command} --json`}}),
  })
  const read = html`<p class="more">To read them: ${toCode(`${command} --fill`)}</p>`
  return {title: 'Gaps', content: [table, read], isAlarm: true}
}

function lostSection(lost: CoverageData['lost'], command: string): Section {
  const table = renderTable({
    caption: `${counted(lost.length, 'file')} of proven days`,
    columns: [{name: 'File'}, {name: 'State'}],
    rows: lost
      .slice(0, mostRows)
      .map(({file, is}) => [html`<bdi>${file}</bdi>`, is === 'gone' ? 'is gone' : 'was changed']),
    ...(lost.length > mostRows && {more: {count: lost.length - mostRows, command: `${command} --json`}}),
  })
  return {title: 'Files that are gone or changed', content: table}
}

function lengthOf([from, to]: CoverageData['holes'][number]): number {
  return daysOf({from, to})
}
