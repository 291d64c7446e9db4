import {toWords} from './facts.js'
import {indented, type Page, type Piece, wrap} from './help-page.js'

const [prompt, continuation] = ['$ ', '    ']

/** The example commands of a command, with the names filled in. */
export function fillExamples(id: string, templates: readonly unknown[] = []): string[] {
  return templates
    .filter((template): template is string => typeof template === 'string')
    .map((template) =>
      template.replaceAll(/<%= ?config\.bin ?%>/g, 'vendorctl').replaceAll(/<%= ?command\.id ?%>/g, toWords(id)),
    )
}

/** Commands to copy: a long one continues after a backslash, never between a flag and its value. */
export function showExamples(examples: readonly string[], page: Page): string[] {
  return examples.flatMap((example) => {
    const lines = wrap(toUnits(example), page.width - 2 - continuation.length - 2)
    return indented(
      lines.map(
        (line, place) => `${place === 0 ? prompt : continuation}${line}${place < lines.length - 1 ? ' \\' : ''}`,
      ),
      2,
    )
  })
}

/** Words with what is quoted in them; a flag or a redirection keeps the word after it. */
function toUnits(example: string): Piece[] {
  const words = example.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  const units: string[] = []
  for (const word of words) {
    const last = units.at(-1)
    const joins = last !== undefined && /^(-{1,2}[\w-]+|[<>|]|>>)$/.test(last) && !word.startsWith('-')
    if (joins) units[units.length - 1] = `${last} ${word}`
    else units.push(word)
  }

  return units.map((text) => ({text, shown: text}))
}
