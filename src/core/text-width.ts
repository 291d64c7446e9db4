import stringWidth from 'string-width'

/** Texts whose letters take one column each; the library takes many times longer to say so. */
const narrow = /^[\x20-\x7e…]*$/

/** Columns of the terminal that a text takes: 2 for emoji and wide letters, 0 for marks that join the letter before. */
export function widthOf(text: string): number {
  return narrow.test(text) ? text.length : stringWidth(text)
}

/** A text in at most `width` columns, without what is in its middle: names differ at either end. */
export function cutMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  const letters: string[] = text.match(/.\p{M}*/gsu) ?? []
  const head = takeWidth(letters, Math.ceil((width - 1) / 2))
  const tail = takeWidth(letters.reverse(), width - 1 - widthOf(head.join('')))
  return `${head.join('')}…${tail.reverse().join('')}`
}

function takeWidth(letters: readonly string[], width: number): string[] {
  let left = width
  const end = letters.findIndex((letter) => {
    left -= widthOf(letter)
    return left < 0
  })
  return end < 0 ? [...letters] : letters.slice(0, end)
}

/**
 * A function that cuts a text to at most `width` columns; one that was cut ends in an ellipsis, never inside a letter.
 * It finds letters with a segmenter, which takes 15 ms to make and is made when the first text beyond ASCII is cut.
 */
export function createCut(): (text: string, width: number) => string {
  let letters: Intl.Segmenter | undefined
  return (text, width) => {
    if (widthOf(text) <= width) return text
    if (narrow.test(text)) return `${text.slice(0, Math.max(0, width - 1))}…`
    letters ??= new Intl.Segmenter('en', {granularity: 'grapheme'})
    let cut = ''
    let left = width - 1
    for (const {segment} of letters.segment(text)) {
      left -= widthOf(segment)
      if (left < 0) break
      cut += segment
    }

    return `${cut}…`
  }
}
