import {counted, thousands} from '../../../values/counted.js'
import {type Column, numbers, renderTable} from './html-table.js'
import {html, type Markup, type Part, toName} from './markup.js'
import {grouped, percent} from './numbers.js'
import type {Section} from './page.js'
import type {PageAlert, PageCounts, PageCoverage, PageData} from './page-data.js'
import {daysOf} from './periods.js'
import {toGroupName} from './sections.js'

type Alerts = NonNullable<PageData['alerts']>

const mostRows = 20

/** What a person should look at, before anything else; nothing when there is nothing. */
export function attentionSection({totals, failed, coverage, alerts, notes}: PageData): Section[] {
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

export function failedSection({totals, failed, command}: PageData): Section {
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

export function coverageSection({provenDays, holes, otherDays, command}: PageCoverage): Section {
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

export function alertSection({raisedFrom, codes, command}: Alerts): Section {
  const text = raisedFrom === undefined ? undefined : `Raised since ${raisedFrom}, and not cleared.`
  if (codes.length === 0) return {id: 'alerts', title: 'Open alerts', text: ['None. ', text]}
  const columns: Column[] = [{name: 'Code'}, {name: 'Meaning'}, ...numbers('Open', 'Machines'), {name: 'Oldest'}]
  const table = renderTable({
    caption: 'Alerts that are not cleared, by code',
    columns,
    rows: codes.slice(0, mostRows).map(toAlert),
    ...(codes.length > mostRows && {more: {count: codes.length - mostRows, command}}),
  })
  return {id: 'alerts', title: 'Open alerts', ...(text !== undefined && {text}), content: table}
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

function sum(all: readonly number[]): number {
  return all.reduce((one, other) => one + other, 0)
}

function link(place: string, text: string): Markup {
  return html`<a href="#${place}">${text}</a>`
}
