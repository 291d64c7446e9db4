/** Length of text that is handed on at once: large enough that a write costs little, small enough for flat memory. */
const chunkLength = 65_536

/** Joins texts into chunks. They are joined at once, not piece by piece, because that would keep every piece alive. */
export function* toChunks(texts: Iterable<string>): Generator<string, void, void> {
  let pieces: string[] = []
  let length = 0
  for (const text of texts) {
    pieces.push(text)
    length += text.length
    if (length < chunkLength) continue
    yield pieces.join('')
    pieces = []
    length = 0
  }

  if (length > 0) yield pieces.join('')
}
