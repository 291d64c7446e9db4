/** A small table of our own words: headers and rows, safe for a terminal, never cut. Ends with a newline. */
export async function simpleTable(headers: readonly string[], rows: readonly (readonly string[])[]): Promise<string> {
  const [{toColumn}, {writeTable}] = await Promise.all([
    import('../formats/columns.js'),
    import('../formats/write-table.js'),
  ])
  const columns = headers.map((name) => toColumn([name], 'text'))
  const records = rows.map((row) => Object.fromEntries(headers.map((name, place) => [name, row[place] ?? ''])))
  const color = process.stdout.isTTY === true && !process.env['NO_COLOR']
  const writer = writeTable(columns, records, {color})
  return [writer.header, ...writer.records(records)].join('')
}
