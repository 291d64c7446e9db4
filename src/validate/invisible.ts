/** A character that people do not see, or that replaces a lost letter. */
export type Invisible = {letter: string; name: string}

/** Tabs and line ends are not among them: around values they do not count, and inside a text they may be meant. */
const invisible = /[[\p{Cc}--[\t\n\r]]\u00a0\u00ad\u061c\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufffd]/v

/** Joiners connect emoji and the letters of several scripts, and are meant in texts. */
const joiners = /[\u200c\u200d]/g

const names: Readonly<Record<number, string>> = {
  160: 'a non-breaking space',
  173: 'a soft hyphen',
  8199: 'a figure space',
  8201: 'a thin space',
  8203: 'a zero-width space',
  8204: 'a zero-width non-joiner',
  8205: 'a zero-width joiner',
  8232: 'a line separator',
  8239: 'a narrow non-breaking space',
  8288: 'a word joiner',
  12288: 'a wide space',
  65279: 'a byte order mark',
  65533: 'a replacement character, where a letter was lost',
}

/** The first invisible character of a text; undefined when there is none. */
export function findInvisible(text: string, use: 'value' | 'freeText'): Invisible | undefined {
  const [letter] = invisible.exec(use === 'freeText' ? text.replaceAll(joiners, '') : text) ?? []
  return letter === undefined ? undefined : {letter, name: describe(letter)}
}

/** The text without spaces and invisible characters at both ends. */
export function trimInvisible(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && unseen.test(text.charAt(start))) start++
  while (end > start && unseen.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

const unseen = /[\s\u200b-\u200f\u2060\ufeff]/

const specialSpaces = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g
const nothing = /[[\p{Cc}--[\t\n\r]]\u00ad\u200b\u2060\ufeff]/gv

/**
 * The text without invisible characters: one when that is certain, several when it may be each of them, none when
 * letters were lost or the direction of writing is told.
 */
export function withoutInvisible(text: string, use: 'value' | 'freeText'): string[] {
  const seen = text.replaceAll(nothing, '')
  const trimmed = use === 'value' ? trimInvisible(seen) : seen
  const joined = use === 'value' ? [trimmed.replaceAll(specialSpaces, ''), trimmed.replaceAll(joiners, '')] : [trimmed]
  const texts = new Set(joined.map((each) => each.replaceAll(specialSpaces, ' ')))
  return [...texts].every((each) => each !== '' && findInvisible(each, use) === undefined) ? [...texts] : []
}

/** A text with its invisible characters spelled out, as `\u00a0`. */
export function spellInvisible(text: string): string {
  return text.replaceAll(new RegExp(invisible, 'gv'), (letter) => `\\u${toHex(letter)}`)
}

function describe(letter: string): string {
  const code = letter.charCodeAt(0)
  return `${names[code] ?? otherName(code)} (U+${toHex(letter).toUpperCase()})`
}

function otherName(code: number): string {
  if (code < 0xa0) return 'a control character'
  return code <= 0x200a || code === 0x205f ? 'a special space' : 'an invisible character'
}

function toHex(letter: string): string {
  return letter.charCodeAt(0).toString(16).padStart(4, '0')
}
