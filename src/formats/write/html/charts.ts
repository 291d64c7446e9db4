import {scaleLinear} from 'd3-scale'
import {createCut} from '../../../core/text-width.js'
import {toSafeText} from '../../safe-text.js'
import {drawDays} from './days.js'
import {drawHeatmap} from './heatmap.js'
import {html, type Markup} from './markup.js'
import type {PageChart, PageData, PageTop} from './page-data.js'
import {grouped, short, toSize} from './periods.js'
import {at, type Drawing, toFile} from './svg.js'

export type Kind = 'site' | 'machine' | 'product'

/** The total price of the groups that are listed. */
export function drawTop(kind: Kind, {groups}: PageTop): Drawing {
  return drawBars(
    `Total price by ${kind}`,
    groups.map((group) => ({name: group.name ?? group.id ?? `no ${kind}`, amount: group.totalPrice})),
  )
}

/** Draws each chart as a file of its own. */
export const charts: Readonly<Record<PageChart, (data: PageData) => string>> = {
  days: (data) => toFile(drawDays(data)),
  heatmap: (data) => toFile(drawHeatmap(data)),
  sites: ({sites}) => toFile(drawTop('site', sites)),
  machines: ({machines}) => toFile(drawTop('machine', machines)),
  products: ({products}) => toFile(drawTop('product', products)),
}

type Bar = {readonly name: string; readonly amount: string}

const width = 400
const rowHeight = 30
const barHeight = 8
/** Width of a letter on average, and of a digit, at the size of the text. */
const [letter, digit] = [6.2, 6.8]
const longestAmount = 20
const longestTip = 80
const cut = createCut()

/** Draws bars, each below its name and exact amount; those of amounts below zero are to the left of a line. */
function drawBars(title: string, bars: readonly Bar[]): Drawing {
  const sizes = bars.map(({amount}) => toSize(amount))
  const scale = scaleLinear([Math.min(0, ...sizes), Math.max(0, ...sizes)], [0, width])
  const rows = bars.map((bar, place) => drawRow(bar, place * rowHeight, scale))
  const height = Math.max(1, bars.length) * rowHeight
  const none = bars.length === 0 ? html`<text x="0" y="12">no lines</text>\n` : undefined
  const base = sizes.some((size) => size < 0)
    ? html`<path class="base" d="M${at(scale(0))},0V${height}"/>\n`
    : undefined
  return {title, width, height, content: [rows, base, none]}
}

function drawRow({name, amount}: Bar, top: number, scale: (size: number) => number): Markup {
  const size = toSize(amount)
  const exact = grouped(amount)
  const shownAmount = exact.length > longestAmount ? short(size) : exact
  const room = Math.floor((width - shownAmount.length * digit - 16) / letter)
  const [zero, end] = [scale(0), scale(size)]
  const [y, text] = [top + rowHeight - barHeight - 5, top + 12]
  const shape = html`y="${y}" height="${barHeight}" rx="2"`
  const length = html`x="${at(Math.min(zero, end))}" width="${at(Math.abs(end - zero))}"`
  return html`<g><title>${cut(name, longestTip)}: ${exact}</title><text class="strong" x="0" y="${text}">${cut(toSafeText(name), room)}</text><text class="strong number" x="${width}" y="${text}">${shownAmount}</text><rect class="track" x="0" width="${width}" ${shape}/><rect class="${size < 0 ? 'minus' : 'bar'}" ${length} ${shape}/></g>
`
}
