const longest = 500
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** A text, or its beginning where it is longer. */
export function beginningOf(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** Text of the service, fit for a message: controls, escapes and bidi marks made visible, at most 500 long. */
export function shown(text: string): string {
  return beginningOf(text.trim(), longest).replace(
    hidden,
    (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
