const [quote, openBrace, closeBrace, colon, backslash] = [0x22, 0x7b, 0x7d, 0x3a, 0x5c]

/**
 * A name that stands twice in one object of a text, in quotes. A parser keeps its last value and loses the other in
 * silence. The text must be JSON.
 */
export function findRepeatedName(text: string): string | undefined {
  const objects: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const mark = text.charCodeAt(at)
    if (mark === openBrace) objects.push(new Set())
    else if (mark === closeBrace) objects.pop()
    else if (mark === quote) {
      const end = endOfString(text, at)
      const names = objects.at(-1)
      if (names && isName(text, end)) {
        const name = toName(text.slice(at, end + 1))
        if (names.has(name)) return name
        names.add(name)
      }

      at = end
    }
  }

  return undefined
}

/** Place of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((end - before) % 2 === 0) return end
  }

  return text.length
}

/** Whether a colon follows a string; white space may stand between. */
function isName(text: string, end: number): boolean {
  let next = end + 1
  while (text.charCodeAt(next) <= 0x20) next++
  return text.charCodeAt(next) === colon
}

/** The same name may be written with escapes and without. */
function toName(written: string): string {
  return written.includes('\\') ? JSON.stringify(JSON.parse(written)) : written
}
