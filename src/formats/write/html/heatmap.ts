import {scaleBand, scaleQuantize} from 'd3-scale'
import {thousands} from '../../../values/counted.js'
import {html, type Markup} from './markup.js'
import type {PageData} from './page-data.js'
import {short} from './periods.js'
import {at, type Drawing} from './svg.js'

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
export const hours = Array.from({length: 24}, (_, hour) => hour)

const [width, left, head, cellHeight] = [400, 40, 20, 20]
const height = head + hours.length * cellHeight
const shades = [0, 1, 2, 3, 4, 5]

/** A week as calendars show it: days side by side, hours from top to bottom. Each cell shows its number as well. */
export function drawHeatmap({heat}: Pick<PageData, 'heat'>): Drawing {
  const lines = countsOf(heat)
  const shadeOf = scaleQuantize([0, Math.max(1, ...lines.values())], shades)
  const x = scaleBand(weekdays, [left, width]).paddingInner(0.05)
  const y = scaleBand(hours, [head, height]).paddingInner(0.1)
  const [wide, high] = [at(x.bandwidth()), at(y.bandwidth())]
  const names = weekdays.map(
    (name) => html`<text class="middle" x="${at((x(name) ?? 0) + wide / 2)}" y="12">${name.slice(0, 3)}</text>\n`,
  )
  const rows = hours.map((hour) => {
    const top = at(y(hour) ?? 0)
    const base = at(top + high / 2 + 4)
    const cells = weekdays.map((name, weekday): Markup => {
      const count = lines.get(cellName(weekday, hour)) ?? 0
      const [start, shade] = [at(x(name) ?? 0), shadeOf(count)]
      const number = html`<text class="middle on${shade}" x="${at(start + wide / 2)}" y="${base}">${short(count, 2)}</text>`
      return html`<g><title>${name} ${toHour(hour)}: ${thousands(count)}</title><rect class="h${shade}" x="${start}" y="${top}" width="${wide}" height="${high}" rx="2"/>${count === 0 ? undefined : number}</g>`
    })
    return html`<text class="number" x="${left - 8}" y="${base}">${toHour(hour)}</text>${cells}\n`
  })
  return {title: 'Lines by weekday and hour', width, height, content: [names, rows]}
}

/** Lines of each hour of the week that has some, by `cellName`. */
export function countsOf(heat: PageData['heat']): Map<string, number> {
  return new Map(heat.map(({weekday, hour, lines}) => [cellName(weekday, hour), lines]))
}

export function cellName(weekday: number, hour: number): string {
  return `${weekday} ${hour}`
}

export function toHour(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}
