import {html, Markup, type Part} from './markup.js'
import {chartStyle} from './style.js'

/** A drawing with a name for those who do not see it. Its colours come from classes: the policy of pages permits no others. */
export type Drawing = {readonly title: string; readonly width: number; readonly height: number; readonly content: Part}

/** A drawing as part of a page. */
export function toPart({title, width, height, content}: Drawing, shownIf?: 'wide' | 'narrow'): Markup {
  const name = shownIf === undefined ? undefined : html` class="${shownIf}"`
  return html`<svg${name} role="img" viewBox="0 0 ${width} ${height}"><title>${title}</title>
${content}</svg>
`
}

/** A drawing as a file of its own. */
export function toFile({title, width, height, content}: Drawing): string {
  const margin = 12
  const [left, full, high] = [-margin, width + 2 * margin, height + 2 * margin]
  const size = html`width="${full}" height="${high}" viewBox="${left} ${left} ${full} ${high}"`
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" ${size}><title>${title}</title>
<style>${new Markup(chartStyle)}</style>
<rect class="back" x="${left}" y="${left}" width="${full}" height="${high}"/>
${content}</svg>
`.text
}

/** Coordinate rounded to a tenth of a pixel. */
export function at(value: number): number {
  return Math.round(value * 10) / 10
}
