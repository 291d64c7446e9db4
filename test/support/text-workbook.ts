import {toColumn} from '../../src/formats/columns.js'
import {writeXlsx} from '../../src/formats/write/xlsx/write-xlsx.js'
import {createMemory} from './odd-records.js'
import {createRecordsFile} from './records/write-records.js'

/** A workbook of one sheet whose cells are all texts. */
export async function toTextWorkbook(header: readonly string[], rows: readonly (readonly string[])[]): Promise<Buffer> {
  const memory = createMemory()
  const columns = header.map((name) => toColumn([name], 'text'))
  const writer = createRecordsFile({columns}, (settled) => writeXlsx(memory, settled, {name: 'rows'}))
  await writer.page(rows.map((cells) => Object.fromEntries(cells.map((cell, place) => [header[place] ?? '', cell]))))
  await writer.end()
  return memory.bytes()
}
