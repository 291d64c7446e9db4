import {createCut, cutMiddle} from '../../../core/text-width.js'
import {toSafeText} from '../../safe-text.js'

/** HTML or SVG that a template of the program made. Every other text is escaped where it is put in. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What stands in a template; `undefined` is nothing. */
export type Part = Markup | string | number | undefined | readonly Part[]

const entities: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'}
/** Columns of one text at most: commands and notes are shorter, and a page stays small whatever comes. */
const longest = 4_000
const longestName = 80
const longestCommand = 1_000
const cut = createCut()

/**
 * A template of HTML and of SVG, which is XML: texts in it are escaped, also within attributes in quotes. What hides or
 * reorders other text (controls, bidi marks) is shown as `\u202e`, and a long text is cut.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((text, place) => text + toMarkup(parts[place])).join(''))
}

/** A name from outside as it stands in a table. A right-to-left name leaves its neighbours in their places. */
export function toName(text: string): Markup {
  return html`<bdi>${cut(text, longestName)}</bdi>`
}

/** A command. One with thousands of ids keeps its two ends; with the ellipsis between them it is refused, not run. */
export function toCode(command: string): Markup {
  return html`<code>${cutMiddle(command, longestCommand)}</code>`
}

function toMarkup(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'number') return String(part)
  if (typeof part !== 'string') return part.map(toMarkup).join('')
  return toSafeText(cut(part, longest)).replace(/[&<>"']/g, (sign) => entities[sign] ?? '')
}
