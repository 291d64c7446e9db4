/** ASCII, and the marks that messages use. */
const plain = /^[\x20-\x7e·×–—‘’“”…→]*$/
const named: Readonly<Record<string, string>> = {'\n': '\\n', '\r': '\\r', '\t': '\\t', '\x7f': '^?'}

/**
 * A text that is safe to show on a terminal: one line, and nothing in it acts on the terminal or hides. Newlines are
 * shown as `\n`, control characters in caret form (`^[`), all else that cannot be seen (C1 controls, bidi marks,
 * zero-width characters, lone surrogates) as `\u202e`. Emoji stay as they are.
 */
export function toSafeText(text: string): string {
  return plain.test(text) ? text : text.replace(unsafeShape(), toVisible)
}

const plainData = /^[\x20-\x7e\n]*$/

/**
 * Separated values or JSON, safe for a terminal: what acts on it or hides is shown as `\u001b`, which leaves
 * JSON the same value. Ends of lines, tabs and emoji stay.
 */
export function toShownData(text: string): string {
  if (plainData.test(text)) return text
  return text.replace(unsafeShape(), (match, offset: number) => {
    const isLayout = match === '\n' || match === '\t' || (match === '\r' && text[offset + 1] === '\n')
    return isLayout || isEmoji(match) ? match : toUnits(match)
  })
}

function toUnits(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

/**
 * Emoji first: their joiners and variation selectors belong to them. Then everything that is not seen, or that acts.
 * In a function, because the engine reads all emoji when it makes the expression: half as long as a start takes.
 */
function unsafeShape(): RegExp {
  return /\p{RGI_Emoji}\ufe0f?|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gv
}

function toVisible(match: string): string {
  const code = match.codePointAt(0) ?? 0
  if (isEmoji(match)) return match
  return named[match] ?? (code < 0x20 ? `^${String.fromCharCode(code + 0x40)}` : toEscape(code))
}

/** Whether it is an emoji, which may be made of several parts. */
function isEmoji(match: string): boolean {
  return (
    match.length > String.fromCodePoint(match.codePointAt(0) ?? 0).length || /^\p{Emoji_Presentation}$/u.test(match)
  )
}

function toEscape(code: number): string {
  const digits = code.toString(16).padStart(4, '0')
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits}`
}

/** Data of a command to the runner of GitHub Actions: a line end is kept as such and can start no other command. */
export function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
