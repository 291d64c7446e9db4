const rowsPerBlock = 256

/** Rows in blocks: enough at once that drawing or writing them costs little, few enough for flat memory. */
export function* toBlocks<Item, Row>(items: Iterable<Item>, toRow: (item: Item) => Row): Generator<Row[], void, void> {
  let rows: Row[] = []
  for (const item of items) {
    rows.push(toRow(item))
    if (rows.length < rowsPerBlock) continue
    yield rows
    rows = []
  }

  if (rows.length > 0) yield rows
}
