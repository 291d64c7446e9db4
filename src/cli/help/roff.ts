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

/** A point of a list. */
export function bullet(text: string): string[] {
  return ['.IP \\(bu 2', keepFromFish(toRoff(text))]
}

/** A paragraph with a term that stands out at the left. */
export function termed(term: string, text: string): string[] {
  return ['.TP', keepFromFish(term), keepFromFish(toRoff(text)) || '\\&']
}

/**
 * Fish makes completions of manual pages: it takes every line that begins with a flag for a flag of all commands. One
 * that does not break its word, which none here does, is no such line.
 */
export function keepFromFish(line: string): string {
  return /^(\\f[BI])?\\-/.test(line) ? `\\%${line}` : line
}

/** Lines as they are, one below the other. */
export function verbatim(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['.PP', '.nf', ...lines.map(toRoff), '.fi']
}
