const longest = 500
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text of the service, fit for a message: controls, escapes and bidi marks made visible, at most 500 long. */
export function shown(text: string): string {
  const bare = text.trim()
  const cut = bare.length > longest ? `${bare.slice(0, longest)}…` : bare
  return cut.replace(hidden, (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
}
