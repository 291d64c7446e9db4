import {type ScaleLinear, type ScaleTime, scaleLinear, scaleUtc} from 'd3-scale'
import {line} from 'd3-shape'
import {millisecondsPerDay, toMilliseconds} from '../../../values/date-time.js'
import {html, Markup} from './markup.js'
import type {PageData} from './page-data.js'
import {grouped, type Period, short, toPeriods, toSize, type Unit} from './periods.js'
import {at, type Drawing} from './svg.js'

const sizes = {wide: {width: 840, height: 250}, narrow: {width: 380, height: 230}} as const
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** Most bars that each show their amount as a tooltip; more of them are drawn as one shape. */
const mostNamed = 92
const mostBars = 400
const widestBar = 48
const [top, bottom, left, right] = [28, 22, 52, 8]
const [labelWidth, labelMargin, labels] = [52, 14, 4]
const meanDays = 7

/** Total price by day as bars, by month or year where days are many; from two weeks on with the average of a week. */
export function drawDays(data: Pick<PageData, 'days' | 'range'>, size: keyof typeof sizes = 'wide'): Drawing {
  const {width, height} = sizes[size]
  const {unit, periods} = toPeriods(data.days, mostBars)
  const bars = periods.map((period) => toBar(period, unit))
  const amounts = bars.map((bar) => bar.size)
  const mean = unit === 'day' ? toMean(bars.filter(({isPart}) => !isPart)) : []
  const end = width - right
  const x = scaleUtc(toSpan(data, bars), [left, end])
  const y = scaleLinear([Math.min(0, ...amounts), Math.max(0, ...amounts)], [height - bottom, top]).nice(labels)
  const title = `Total price by ${unit}${mean.length > 0 ? `, and the average of ${meanDays} days` : ''}`
  const curve = mean.length > 0 ? html`<path class="mean" d="${new Markup(drawLine(mean, x, y))}"/>\n` : undefined
  const content = [drawAmounts(y, end), drawBars(bars, x, y), curve, drawDates(x, unit, height), drawLegend(unit, mean)]
  return {title, width, height, content}
}

type Bar = {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly size: number
  readonly amount: string
  readonly isPart: boolean
}
type Point = readonly [moment: number, amount: number]
type Across = ScaleTime<number, number>
type Up = ScaleLinear<number, number>

function toBar({period, totalPrice, isPart}: Period, unit: Unit): Bar {
  const from = toMilliseconds(`${period}${{day: '', month: '-01', year: '-01-01'}[unit]}`) ?? 0
  const next = new Date(from)
  if (unit === 'day') next.setUTCDate(next.getUTCDate() + 1)
  else if (unit === 'month') next.setUTCMonth(next.getUTCMonth() + 1)
  else next.setUTCFullYear(next.getUTCFullYear() + 1)
  return {name: period, from, to: next.getTime(), size: toSize(totalPrice), amount: grouped(totalPrice), isPart}
}

/** The days of a chart: from the first to the last that was asked for, or that has lines. */
function toSpan({range}: Pick<PageData, 'range'>, bars: readonly Bar[]): [number, number] {
  const asked = (text: string | undefined) =>
    text === undefined ? [] : [toMilliseconds(text.slice(0, 10)) ?? []].flat()
  const from = Math.min(...asked(range?.from), ...bars.map((bar) => bar.from))
  const to = Math.max(...asked(range?.to).map((day) => day + millisecondsPerDay), ...bars.map((bar) => bar.to))
  return Number.isFinite(from) && Number.isFinite(to) ? [from, to] : [0, millisecondsPerDay]
}

/** The average of seven days, at the last of them; days without lines count as nothing sold. */
function toMean(bars: readonly Bar[]): Point[] {
  const [first, last] = [bars[0]?.from ?? 0, bars.at(-1)?.from ?? 0]
  const days = (last - first) / millisecondsPerDay + 1
  if (days < 2 * meanDays || days > mostBars) return []
  const amounts = new Map(bars.map(({from, size}) => [from, size]))
  const all = Array.from({length: days}, (_, day) => amounts.get(first + day * millisecondsPerDay) ?? 0)
  return all.flatMap((_, day): Point[] => {
    const week = all.slice(day - meanDays + 1, day + 1)
    if (day < meanDays - 1) return []
    return [[first + (day + 0.5) * millisecondsPerDay, week.reduce((sum, amount) => sum + amount / meanDays, 0)]]
  })
}

function drawLine(points: readonly Point[], x: Across, y: Up): string {
  const draw = line<Point>(
    ([moment]) => x(moment),
    ([, amount]) => y(amount),
  ).digits(1)
  return draw([...points]) ?? ''
}

function drawAmounts(y: Up, end: number): Markup[] {
  const decimals = y.tickFormat(labels)
  return y.ticks(labels).map((tick) => {
    const place = at(y(tick))
    const text =
      Math.abs(y.domain()[1] ?? 0) < 1000 && Math.abs(y.domain()[0] ?? 0) < 1000 ? decimals(tick) : short(tick)
    return html`<path class="${tick === 0 ? 'base' : 'grid'}" d="M${left},${place}H${end}"/><text class="number" x="${left - 6}" y="${at(place + 4)}">${text}</text>\n`
  })
}

function drawBars(bars: readonly Bar[], x: Across, y: Up): Markup[] {
  const shapes = bars.map(({name, amount, size, from, to, isPart}) => {
    const step = x(to) - x(from)
    const width = step < 4 ? Math.max(1, step) : Math.min(widestBar, step * 0.78)
    const [start, end] = [y(Math.max(0, size)), y(Math.min(0, size))]
    const edge = (x(from) + x(to) - width) / 2
    const outline = `M${at(edge)},${at(start)}h${at(width)}v${at(end - start)}h-${at(width)}z`
    const shape = isPart ? outline + hatch(edge, width, [Math.min(start, end), Math.max(start, end)]) : outline
    return {name, amount: isPart ? `${amount} (part of the day)` : amount, shape, look: toLook(size, isPart)}
  })
  if (bars.length <= mostNamed) {
    return shapes.map(
      ({name, amount, shape, look}) =>
        html`<path class="${look}" d="${shape}"><title>${name}: ${amount}</title></path>\n`,
    )
  }
  return [...Map.groupBy(shapes, ({look}) => look)].map(
    ([look, all]) => html`<path class="${look}" d="${new Markup(all.map(({shape}) => shape).join(''))}"/>\n`,
  )
}

function toLook(size: number, isPart: boolean): string {
  const look = size < 0 ? 'minus' : 'bar'
  return isPart ? `part ${look}` : look
}

const hatchStep = 5

/** Lines across a bar from left to right, rising. */
function hatch(edge: number, width: number, [high, low]: readonly [number, number]): string {
  const count = Math.floor((low - high + width) / hatchStep)
  return Array.from({length: count}, (_, place) => {
    const left = low - (place + 1) * hatchStep + width
    const [from, to] = [Math.min(left, low), Math.max(left - width, high)]
    if (from <= to) return ''
    return `M${at(edge + left - from)},${at(from)}L${at(edge + left - to)},${at(to)}`
  }).join('')
}

/** Dates below the bars, as many as have room; the first of a year names it. */
function drawDates(x: Across, unit: Unit, height: number): Markup[] {
  const [from = 0, to = 0] = x.range()
  const half = unit === 'day' ? (x(millisecondsPerDay) - x(0)) / 2 : 0
  const label = (tick: Date) =>
    Math.min(Math.max(x(tick) + (areMonths ? 0 : half), from + labelMargin), to - labelMargin)
  const end = x.domain()[1]?.getTime() ?? 0
  const isStart = (tick: Date) =>
    tick.getTime() < end && tick.getTime() % millisecondsPerDay === 0 && (unit !== 'year' || tick.getUTCMonth() === 0)
  const ticks = x.ticks((to - from) / labelWidth).filter(isStart)
  const areMonths = ticks.length > 1 && ticks.every((tick) => tick.getUTCDate() === 1)
  let last = Number.NEGATIVE_INFINITY
  return ticks.flatMap((tick) => {
    const place = label(tick)
    if (place - last < labelWidth - 8) return []
    last = place
    return [html`<text class="middle" x="${at(place)}" y="${height - 5}">${toLabel(tick, areMonths)}</text>\n`]
  })
}

function toLabel(tick: Date, isMonth: boolean): string {
  const month = months[tick.getUTCMonth()] ?? ''
  if (!isMonth) return `${tick.getUTCDate()} ${month}`
  return tick.getUTCMonth() === 0 ? String(tick.getUTCFullYear()) : month
}

function drawLegend(unit: Unit, mean: readonly Point[]): Markup {
  const average = html`<path class="mean" d="M${left + 122},8h18"/><text x="${left + 146}" y="12">average of ${meanDays} days</text>`
  return html`<path class="bar" d="M${left},3h10v10h-10z"/><text x="${left + 16}" y="12">total price by ${unit}</text>${mean.length > 0 ? average : undefined}\n`
}
