import {Buffer} from 'node:buffer'

/** What a text probably said before UTF-8 was read as Windows-1252. */
export type Repair = {
  text: string
  /** No other reading of the text is likely. */
  isProven: boolean
}

/** What Windows-1252 shows for the bytes 0x80 to 0x9f; five of them have no character and stay themselves. */
const shown =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'
const byteOf = new Map(Array.from(shown, (letter, place) => [letter, 0x80 + place]))
const following = `[\\u00a0-\\u00bf${shown}]`
const sequence = new RegExp(
  `[\\u00c2-\\u00df]${following}|[\\u00e0-\\u00ef]${following}{2}|[\\u00f0-\\u00f4]${following}{3}`,
  'g',
)

/** Western letters, Greek and Cyrillic, punctuation, signs of money and emoji: what is found so in real files. */
const likely = /^[\u00a0-\u017f\u0370-\u04ff\u2010-\u203a\u20ac\u2122\u2600-\u27bf\ufeff\u{1f300}-\u{1faff}]$/u
/** A word that ends in a capital letter before a quotation mark or a dash looks the same. */
const wordBeforeQuote = /[\p{L}\p{N}]$/u
const quoteOrDash = /[\u2018\u2019\u201c\u201d\u2013\u2014\u2026]/

/** Undefined when nothing of the text looks so. */
export function repairMojibake(text: string): Repair | undefined {
  let count = 0
  let isProven = true
  const repaired = text.replaceAll(sequence, (part, at: number) => {
    const letter = decode(part)
    if (letter === undefined || !likely.test(letter)) return part
    count++
    if (quoteOrDash.test(part) && part.length === 2 && wordBeforeQuote.test(text.slice(Math.max(0, at - 2), at)))
      isProven = false
    return letter
  })

  return count === 0 ? undefined : {text: repaired, isProven}
}

function decode(part: string): string | undefined {
  const bytes = Buffer.from(Array.from(part, (letter) => byteOf.get(letter) ?? letter.charCodeAt(0)))
  const letter = bytes.toString('utf8')
  return Buffer.from(letter).equals(bytes) ? letter : undefined
}
