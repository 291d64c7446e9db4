/** Length of a chunk of text: large enough that a write costs little, small enough for flat memory. */
const chunkLength = 65_536

/** Joins texts into chunks. A string that grew piece by piece would keep every piece in memory. */
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

const rowsPerBlock = 256

/** Rows in blocks: enough that drawing or writing them costs little, few enough for flat memory. */
export function* toBlocks<Item, Row>(
  items: Iterable<Item>,
  toRow: (item: Item) => Row,
  count = rowsPerBlock,
): Generator<Row[], void, void> {
  let rows: Row[] = []
  for (const item of items) {
    rows.push(toRow(item))
    if (rows.length < count) continue
    yield rows
    rows = []
  }

  if (rows.length > 0) yield rows
}
