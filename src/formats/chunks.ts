/** Text that is handed on at once: large enough that a write costs little, small enough to be flat in memory. */
const chunkLength = 65_536

/** Joins texts into chunks. */
export function* toChunks(texts: Iterable<string>): Generator<string, void, void> {
  let chunk = ''
  for (const text of texts) {
    chunk += text
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }

  if (chunk !== '') yield chunk
}
