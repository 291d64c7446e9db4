import type {Column} from '../../../src/formats/columns.js'
import {createPageRenderer, type Format} from '../../../src/formats/outputs/format-table.js'
import {type PageRendererOptions, printAnswer} from '../../../src/formats/scan/page-renderer.js'
import {createFileWriter, type OpenRows} from '../../../src/formats/write/file-writer.js'
import type {JsonRecord} from '../../../src/values/json.js'

/** Records in a text format, as the program writes those of its own. */
export async function renderRecords(
  format: Format,
  columns: readonly Column[],
  pages: readonly (readonly JsonRecord[])[],
  options: Partial<PageRendererOptions> = {},
) {
  const renderer = await createPageRenderer(format, {columns, lookAhead: 10_000, ...options})
  let text = renderer.start().toString()
  for (const page of pages) text += renderer.page(printAnswer(page), 'all').bytes.toString()
  return {text: text + renderer.end().toString(), ...renderer.written}
}

/** A writer of a file that takes records. */
export function createRecordsFile(options: Parameters<typeof createFileWriter>[0], open: OpenRows) {
  const {put, scan, end, written} = createFileWriter(options, open)
  return {
    page: (records: Iterable<JsonRecord>) => put(scan(printAnswer([...records])), 'all'),
    end,
    written,
  }
}
