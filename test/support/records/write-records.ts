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
  const lost = new Map<string, number>()
  let text = renderer.start().toString()
  for (const page of pages) {
    const rendered = renderer.page(printAnswer(page), 'all')
    text += rendered.bytes.toString()
    for (const [name, count] of rendered.lost) lost.set(name, (lost.get(name) ?? 0) + count)
  }

  return {text: text + renderer.end(lost).toString(), lost, notes: renderer.notes}
}

/** A writer of a file that takes records. */
export function createRecordsFile(options: Parameters<typeof createFileWriter>[0], open: OpenRows) {
  const writer = createFileWriter(options, open)
  return {
    page: (records: Iterable<JsonRecord>) => writer.page(writer.scan(printAnswer([...records])), 'all'),
    end: () => writer.end(),
    lost: writer.lost,
    get notes() {
      return writer.notes
    },
  }
}
