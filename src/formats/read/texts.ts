import type {Attributes} from './workbook-parts.js'

const escaped = /_x([\dA-Fa-f]{4})_/g

/** Text of a cell: `_x000D_` is a carriage return, `_x005F_` an underscore. */
export function fromXmlText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(escaped, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Joins the pieces of a rich text; how a text is pronounced (`rPh`) is left out. */
export class TextCollector {
  #whole = ''
  #piece: string | undefined
  #keepsSpaces = false
  #isPhonetic = false

  start(): void {
    this.#whole = ''
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'rPh') this.#isPhonetic = true
    if (name !== 't' || this.#isPhonetic) return
    this.#piece = ''
    this.#keepsSpaces = attributes['xml:space'] === 'preserve'
  }

  add(text: string): void {
    if (this.#piece !== undefined) this.#piece += text
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPhonetic = false
    if (name !== 't' || this.#piece === undefined) return
    this.#whole += fromXmlText(this.#keepsSpaces ? this.#piece : trim(this.#piece))
    this.#piece = undefined
  }

  take(): string {
    return this.#whole
  }
}

/** Spreadsheets drop what stands around a text unless the file says that it counts. */
function trim(text: string): string {
  return text.replace(/^[ \t\n\r]+/, '').replace(/(?<![ \t\n\r])[ \t\n\r]+$/, '')
}
