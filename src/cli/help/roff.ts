/** Text as roff takes it: nothing in it acts, hyphens stay what people type, and it is ASCII. */
export function toRoff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll(
      /[^\n\u0020-\u007e]/gu,
      (letter) => `\\[u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replaceAll(/^([.'])/gm, '\\&$1')
}

export function bold(text: string): string {
  return `\\fB${toRoff(text)}\\fR`
}

export function italic(text: string): string {
  return `\\fI${toRoff(text)}\\fR`
}

/** A paragraph with a term that stands out at the left. */
export function termed(term: string, text: string): string[] {
  return ['.TP', term, toRoff(text) || '\\&']
}

/** Lines as they are, one below the other. */
export function verbatim(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['.PP', '.nf', ...lines.map(toRoff), '.fi']
}
