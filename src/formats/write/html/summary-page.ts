import {counted, sum, thousands} from '../../../values/counted.js'
import {defined} from '../../../values/defined.js'
import {drawTop, type Kind} from './charts.js'
import {drawDays} from './days.js'
import {cellName, countsOf, drawHeatmap, hours, toHour, weekdays} from './heatmap.js'
import {type Column, html, type Markup, numbers, type Part, renderMore, renderTable, toCode, toName} from './markup.js'
import {renderPage, type Section, type Tile} from './page.js'
import type {PageAlert, PageCounts, PageCoverage, PageData, PageGroup} from './page-data.js'
import {addCounts, daysOf, grouped, type Period, percent, toPeriods, toSize, toSpan} from './periods.js'
import {toPart} from './svg.js'

/** The page of `reports summary -o html`. Every chart has a table beside it with the same numbers, exactly. */
export function renderSummaryPage(data: PageData): string {
  const {title, filters, range, source, generatedAt, tool} = data
  const facts: (readonly [string, string])[] = [['From', source]]
  if (range) facts.push(['Range', `${toSpan(toMoment(range.from), toMoment(range.to))}, local time of the machines`])
  if (filters.length > 0) facts.push(['Only', filters.join(' ')])
  return renderPage({
    title,
    facts,
    tiles: toTiles(data),
    sections: toSections(data),
    footer: [
      'Lines are line items of transactions. Failed vends are lines too; their price is in no other total.',
      `Made by ${tool} at ${generatedAt}.`,
    ],
  })
}

function toTiles({totals, days, range}: PageData): Tile[] {
  const {lines, failedLines, batches} = totals
  const failed = `${percent(failedLines, lines)} of lines, price ${grouped(totals.failedPrice)}`
  const inBatches = `in ${thousands(batches)} ${batches === 1 ? 'batch' : 'batches'}`
  return [
    {name: 'Total price', value: grouped(totals.totalPrice), isMain: true},
    {name: 'Lines', value: thousands(lines), note: inBatches},
    {name: 'Failed vends', value: thousands(failedLines), note: failed},
    {name: 'Days with lines', value: thousands(days.length), ...(range && {note: `of ${thousands(daysOf(range))}`})},
    {name: 'Quantity', value: grouped(totals.quantity)},
    {name: 'Tax charged', value: grouped(totals.taxCharged)},
    {name: 'Commission', value: grouped(totals.commission)},
  ]
}

function toSections(data: PageData): Section[] {
  const {totals, failed, coverage, alerts} = data
  const last = [
    ...(failed.count > 0 ? [failedSection(data)] : []),
    ...(coverage ? [coverageSection(coverage)] : []),
    ...(alerts ? [alertSection(alerts)] : []),
  ]
  if (totals.lines === 0)
    return [...attentionSection(data), {title: 'No lines', text: 'Nothing was sold in this range.'}, ...last]
  const kinds = ['site', 'machine', 'product'] as const
  const tops = kinds.filter((kind) => data[`${kind}s`].count > 0).map((kind) => topSection(kind, data))
  return [...attentionSection(data), ...beforeSection(data), daySection(data), weekSection(data), ...tops, ...last]
}

/** A moment for people; the start of the first day and the end of the last go without saying. */
function toMoment(text: string): string {
  return text.replace(/T(?:00:00:00(?:\.0+)?|23:59:59(?:\.\d+)?)$/, '').replace('T', ' ')
}

/** Rows of one table of days; two of them are side by side where there is room. */
const tableRows = 16
const mostPeriods = 62
const counts = numbers('Lines', 'Failed', 'Quantity', 'Total price')

function daySection(data: PageData): Section {
  const {days, undated, command} = data
  const {unit, periods} = toPeriods(days, mostPeriods)
  const shown = periods.slice(0, mostPeriods)
  const parts = Math.ceil(shown.length / tableRows)
  const size = Math.ceil(shown.length / parts)
  const tables = Array.from({length: parts}, (_, part) => shown.slice(part * size, (part + 1) * size)).map((rows) =>
    renderTable({
      caption: `By ${unit}, ${toSpan(rows[0]?.period ?? '', rows.at(-1)?.period ?? '')}`,
      columns: [{name: unit[0]?.toUpperCase() + unit.slice(1)}, ...counts],
      rows: rows.map((row) => [toPeriodName(row), ...toCells(row)]),
    }),
  )
  const left = periods.length - shown.length
  const all = `${command} --by day -o csv`
  const more = unit === 'day' ? undefined : html`<p class="more">Each day by itself: ${toCode(all)}</p>\n`
  const wide = toPart(drawDays(data), 'wide')
  const chart = html`<figure>\n${wide}${toPart(drawDays(data, 'narrow'), 'narrow')}</figure>\n`
  const texts = [
    ...(undated
      ? [`Lines without a time are in no day: ${thousands(undated.lines)}, total price ${grouped(undated.totalPrice)}.`]
      : []),
    ...(periods.some(({isPart}) => isPart) ? ['Hatched: a part of a day, which is in no average.'] : []),
  ]
  return {
    title: 'Trend',
    ...(texts.length > 0 && {text: texts.join(' ')}),
    content: [chart, html`<div class="tables">${tables}</div>\n`, left > 0 ? renderMore(left, all) : more],
  }
}

/** Whole days of the range beside as many before it. */
function beforeSection({days, before}: PageData): Section[] {
  if (!before) return []
  const {of} = before
  const now = addCounts(days.filter(({day}) => day >= of.from && day <= of.to))
  const table = renderTable({
    caption: 'Whole days, and as many before them',
    columns: [{name: 'Days'}, ...counts],
    rows: [
      [toSpan(of.from, of.to), ...toCells(now)],
      [toSpan(before.from, before.to), ...toCells(before)],
      ['Change', ...toChanges(now, before)],
    ],
  })
  return [{title: 'Period before', content: table}]
}

function toChanges(now: PageCounts, before: PageCounts): string[] {
  const toChange = (one: string | number, other: string | number) => {
    const [size, past] = [toSize(String(one)), toSize(String(other))]
    if (past === 0) return '–'
    const change = ((size - past) / Math.abs(past)) * 100
    return `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(1)} %`
  }
  return [
    toChange(now.lines, before.lines),
    toChange(now.failedLines, before.failedLines),
    toChange(now.quantity, before.quantity),
    toChange(now.totalPrice, before.totalPrice),
  ]
}

function weekSection({heat, command}: PageData): Section {
  const lines = countsOf(heat)
  const week = weekdays.map((name, weekday) => ({name, ...addCounts(heat.filter((one) => one.weekday === weekday))}))
  const hourOf = (hour: number) => weekdays.map((_, weekday) => lines.get(cellName(weekday, hour)) ?? 0)
  const toRow = (name: string, all: readonly number[]): Part[] => [
    name,
    ...[...all, sum(all)].map((count) => thousands(count)),
  ]
  const byHour = renderTable({
    caption: 'Lines by hour and weekday',
    columns: [{name: 'Hour'}, ...numbers(...weekdays.map((name) => name.slice(0, 3)), 'Sum')],
    rows: hours.map((hour) => toRow(toHour(hour), hourOf(hour))),
    total: toRow(
      'Sum',
      week.map((day) => day.lines),
    ),
  })
  const byDay = renderTable({
    caption: 'By weekday',
    columns: [{name: 'Weekday'}, ...counts],
    rows: week.map((day) => [day.name, ...toCells(day)]),
  })
  return {
    title: 'Week',
    text: html`When machines sell: lines by weekday and hour, in their local time. As rows: ${toCode(`${command} --by day --by hour -o csv`)}`,
    content: html`<div class="pair week"><figure class="half">\n${toPart(drawHeatmap({heat}))}</figure>\n<div>${byHour}</div></div>\n${byDay}`,
  }
}

/** Sites, machines or products: the first ones, what the others add up to, and all of them. */
function topSection(kind: Kind, data: PageData): Section {
  const top = data[`${kind}s`]
  const title = {site: 'Sites', machine: 'Machines', product: 'Products'}[kind]
  const {count, groups, others} = top
  const table = renderTable({
    caption:
      count > groups.length
        ? `${title}: the first ${groups.length} of ${thousands(count)} by total price`
        : `${title} by total price`,
    columns: [{name: kind[0]?.toUpperCase() + kind.slice(1)}, ...counts],
    rows: groups
      .map((group) => [toGroupName(group, kind), ...toCells(group)])
      .concat(others ? [[`${thousands(count - groups.length)} others`, ...toCells(others)]] : []),
    total: ['All', ...toCells(data.totals)],
    ...(others && {more: {count: count - groups.length, command: `${data.command} --by ${kind} -o csv`}}),
  })
  const chart = html`<figure class="half">\n${toPart(drawTop(kind, top))}</figure>`
  return {title, content: html`<div class="pair">${chart}\n<div>${table}</div></div>`}
}

function toGroupName({id, name}: PageGroup, kind: Kind): Part {
  if (name === null) return id === null ? `no ${kind}` : toName(id)
  return id === null ? toName(name) : [toName(name), html` <span class="id">${toName(id)}</span>`]
}

function toCells({lines, failedLines, quantity, totalPrice}: PageCounts): string[] {
  return [thousands(lines), thousands(failedLines), grouped(quantity), grouped(totalPrice)]
}

/** A day with its weekday: `2024-07-01 Mon`. */
function toPeriodName({period, isPart}: Period): string | Markup {
  if (period.length < 10) return period
  const weekday = weekdays[(new Date(`${period}T00:00:00Z`).getUTCDay() + 6) % 7]?.slice(0, 3)
  return html`<span class="n">${period} <span class="id weekday">${weekday}${isPart ? ', part' : ''}</span></span>`
}

const mostRows = 20

/** Findings that a person should look at first; empty when there are none. */
function attentionSection({totals, failed, coverage, alerts, notes}: PageData): Section[] {
  const open = sum(alerts?.codes.map((alert) => alert.open) ?? [])
  const days = sum(coverage?.holes.map(daysOf) ?? [])
  const items: Part[] = [
    totals.failedLines > 0 &&
      link(
        'failed',
        `${counted(totals.failedLines, 'failed vend')} at ${counted(failed.count, 'machine')}, price ${grouped(totals.failedPrice)}`,
      ),
    days > 0 && link('coverage', `${counted(days, 'day')} not proven complete by an export of this machine`),
    open > 0 && link('alerts', `${counted(open, 'open alert')}`),
    ...notes,
  ].filter((item) => item !== false)
  if (items.length === 0) return []
  const content = html`<ul>\n${items.map((item) => html`<li>${item}</li>\n`)}</ul>`
  return [{title: 'Needs attention', content, isAlarm: true}]
}

function failedSection({totals, failed, command}: PageData): Section {
  const {count, groups, others} = failed
  const rows = groups.map((group) => toFailed(toGroupName(group, 'machine'), group))
  if (others) rows.push(toFailed(`${thousands(count - groups.length)} others`, others))
  const table = renderTable({
    caption:
      count > groups.length
        ? `The ${groups.length} of ${counted(count, 'machine')} with the most failed vends`
        : 'By failed vends',
    columns: [{name: 'Machine'}, ...numbers('Failed vends', 'Lines', 'Failed', 'Failed price')],
    rows,
    total: toFailed('All', totals),
    ...(others && {
      more: {count: count - groups.length, command: `${command} --by machine --sort -failedLines -o csv`},
    }),
  })
  return {id: 'failed', title: 'Failed vends', content: table}
}

function toFailed(name: Part, {failedLines, lines, failedPrice}: PageCounts): Part[] {
  return [name, thousands(failedLines), thousands(lines), percent(failedLines, lines), grouped(failedPrice)]
}

function coverageSection({provenDays, holes, otherDays, command}: PageCoverage): Section {
  const proven = `Proven complete by an export of this machine with the same key and filters: ${counted(provenDays, 'day')}.`
  const other = `Not over on every machine, or only partly in the range: ${counted(otherDays, 'day')}.`
  const text = otherDays > 0 ? `${proven} ${other}` : proven
  if (holes.length === 0) return {id: 'coverage', title: 'Coverage', text}
  const table = renderTable({
    caption: 'Days that are not proven',
    columns: [{name: 'First day'}, {name: 'Last day'}, ...numbers('Days'), {name: 'State'}],
    rows: holes
      .slice(0, mostRows)
      .map((hole) => [
        hole.from,
        hole.to,
        thousands(daysOf(hole)),
        hole.state === 'partly' ? 'partly read, or without proof' : 'not read',
      ]),
    ...(holes.length > mostRows && {more: {count: holes.length - mostRows, command}}),
  })
  return {id: 'coverage', title: 'Coverage', text, content: table}
}

function alertSection({raisedFrom, codes, command}: NonNullable<PageData['alerts']>): Section {
  const text = raisedFrom === undefined ? undefined : `Raised since ${raisedFrom}, and not cleared.`
  if (codes.length === 0) return {id: 'alerts', title: 'Open alerts', text: ['None. ', text]}
  const columns: Column[] = [{name: 'Code'}, {name: 'Meaning'}, ...numbers('Open', 'Machines'), {name: 'Oldest'}]
  const table = renderTable({
    caption: 'Alerts that are not cleared, by code',
    columns,
    rows: codes.slice(0, mostRows).map(toAlert),
    ...(codes.length > mostRows && {more: {count: codes.length - mostRows, command}}),
  })
  return {id: 'alerts', title: 'Open alerts', ...defined({text}), content: table}
}

function toAlert({code, meaning, open, machines, oldest}: PageAlert): Part[] {
  return [
    toName(code),
    meaning === null ? 'not explained' : toName(meaning),
    thousands(open),
    thousands(machines),
    oldest ?? 'not known',
  ]
}

function link(place: string, text: string): Markup {
  return html`<a href="#${place}">${text}</a>`
}
