/**
 * Numbers that a JavaScript number would print differently are carried through `JSON.parse` as marked texts, which is
 * several times faster than asking the parser for the source of every value. The mark holds U+0000: JSON can write it
 * only as an escape, so a text without that escape cannot hold anything that looks like a marked number.
 */
export type Marked = {text: string; count: number}

export const escapedMark = '\\u0000'
const mark = '\u0000'

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const exponentOrTiny = /[eE]|^-?0\.00000/
const safeDigits = 15

const quote = 0x22
const backslash = 0x5c
const minus = 0x2d
const zero = 0x30
const nine = 0x39
const colon = 0x3a

/** Marks the numbers of a JSON text that would lose digits. `tooDeep` when brackets are nested beyond `maximumDepth`. */
export function markNumbers(text: string, maximumDepth: number): Marked | 'tooDeep' {
  const {length} = text
  let depth = 0
  let out = ''
  let copied = 0
  let count = 0

  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfText(text, at)
    } else if ((code >= zero && code <= nine) || code === minus) {
      const end = endOfNumber(text, at)
      if (losesDigits(text, at, end) && !isKey(text, end)) {
        out += `${text.slice(copied, at)}"${escapedMark}${text.slice(at, end)}"`
        copied = end
        count++
      }
      at = end - 1
    } else if (isOpening(code)) {
      if (++depth > maximumDepth) return 'tooDeep'
    } else if (isClosing(code)) depth--
  }

  return {text: count === 0 ? text : out + text.slice(copied), count}
}

/**
 * Puts a number in the place of each marked text, in the value itself. Every name stands in its record already, so that
 * even `__proto__` is only ever a name.
 */
export function unmarkNumbers<Value>(value: Value, toNumber: (text: string) => Value): Value {
  if (typeof value === 'string') return value.startsWith(mark) ? toNumber(value.slice(1)) : value
  if (typeof value !== 'object' || value === null) return value
  const members = value as Record<string, Value>
  for (const name of Object.keys(members)) {
    const member = members[name] as Value
    if (typeof member === 'string') {
      if (member.startsWith(mark)) members[name] = toNumber(member.slice(1))
    } else if (typeof member === 'object') unmarkNumbers(member, toNumber)
  }

  return value
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at++
  }

  return text.length
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && isOfNumber(text.charCodeAt(end))) end++
  return end
}

function isOfNumber(code: number): boolean {
  return (code >= zero && code <= nine) || code === 0x2e || code === minus || code === 0x2b || (code | 0x20) === 0x65
}

/** Only what is a number by the grammar may be marked: the rest must reach the parser and be refused there. */
function losesDigits(text: string, start: number, end: number): boolean {
  const last = text.charCodeAt(end - 1)
  if (end - start === 1) return false
  const token = text.slice(start, end)
  if (end - start <= safeDigits && !token.startsWith('-0') && isPlain(token, last)) return false
  return String(Number(token)) !== token && jsonNumber.test(token)
}

function isPlain(token: string, last: number): boolean {
  return token.includes('.') ? last !== zero && !exponentOrTiny.test(token) : !exponentOrTiny.test(token)
}

/** A number in the place of a name is no JSON; as a marked text it would pass. */
function isKey(text: string, end: number): boolean {
  let at = end
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++
  return text.charCodeAt(at) === colon
}

function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d
}
