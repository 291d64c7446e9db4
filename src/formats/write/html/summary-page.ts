import {thousands} from '../../../values/counted.js'
import {renderPage, type Section, type Tile} from './page.js'
import type {PageData} from './page-data.js'
import {daysOf, grouped, percent, toSpan} from './periods.js'
import {
  alertSection,
  attentionSection,
  beforeSection,
  coverageSection,
  daySection,
  failedSection,
  topSection,
  weekSection,
} from './sections.js'

/** The page of `reports summary -o html`. Every chart has a table beside it that holds the same, exactly. */
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
  if (totals.lines === 0) {
    return [...attentionSection(data), {title: 'No lines', text: 'Nothing was sold in this range.'}, ...last]
  }
  const kinds = ['site', 'machine', 'product'] as const
  const tops = kinds.filter((kind) => data[`${kind}s`].count > 0).map((kind) => topSection(kind, data))
  return [...attentionSection(data), ...beforeSection(data), daySection(data), weekSection(data), ...tops, ...last]
}

/** A moment for people; the start of the first day and the end of the last go without saying. */
function toMoment(text: string): string {
  return text.replace(/T(?:00:00:00(?:\.0+)?|23:59:59(?:\.\d+)?)$/, '').replace('T', ' ')
}
