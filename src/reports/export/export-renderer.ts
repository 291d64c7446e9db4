import type {Page} from '../../client/types.js'
import type {Column} from '../../formats/columns.js'
import {createMatch} from '../../formats/conditions.js'
import {createPageRenderer} from '../../formats/outputs/format-table.js'
import type {PageRenderer, PageRendererOptions, Take} from '../../formats/scan/page-renderer.js'
import type {ExportLayout} from './export-types.js'

/** Renders pages as bytes, and cuts their answers into records. */
export type ExportRenderer = Pick<PageRenderer, 'start' | 'end' | 'columns' | 'scan'> & {
  page(page: Page, take: Take): ReturnType<PageRenderer['page']>
}

/** What an earlier run decided. */
export type Settled = {columns?: readonly Column[]; rows: number}

/** Straight from bytes to bytes. */
export async function createExportRenderer(
  layout: ExportLayout,
  look: readonly string[],
  settled: Settled,
): Promise<ExportRenderer> {
  const renderer = await createPageRenderer(layout.format, toOptions(layout, look, settled))
  return {
    start: () => renderer.start(),
    end: () => renderer.end(),
    page: ({elements}, take) => renderer.page(elements, take),
    scan: renderer.scan,
    get columns() {
      return renderer.columns
    },
  }
}

function toOptions(layout: ExportLayout, look: readonly string[], {columns, rows}: Settled): PageRendererOptions {
  const {where, lines, chosen, dialect, delimiter} = layout
  const {fields, holds, rows: match, names} = createMatch({where}, layout.columns, lines)
  return {
    ...{columns: layout.columns, look: [...new Set([...look, ...fields])], match, names, keep: holds},
    ...{lines, chosen, dialect, delimiter, settled: columns, rowsBefore: rows},
  }
}
