const longest = 500
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** A text, or its beginning and `…` where it is longer than `most`. */
export function beginningOf(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** Text of the service, fit for a message: its first 500 characters, with controls, escapes and bidi marks visible. */
export function toMessageText(text: string): string {
  return beginningOf(text.trim(), longest).replace(
    hidden,
    (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
