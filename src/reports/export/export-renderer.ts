import type {Page, ReadRequest} from '../../client/types.js'
import type {Column} from '../../formats/columns.js'
import {createMatch} from '../../formats/conditions.js'
import {
  createPageRenderer,
  type IntakeOptions,
  type PageRenderer,
  type PageRendererOptions,
  RecordProblem,
  type Take,
} from '../../formats/scan/page-renderer.js'
import {createRecordPageRenderer} from '../../formats/write/record-page-renderer.js'
import type {ExportLayout} from './export-types.js'

/** Renders pages as bytes, and cuts their answers into records. */
export type ExportRenderer = Pick<PageRenderer, 'start' | 'end' | 'columns'> & {
  page(page: Page, take: Take): ReturnType<PageRenderer['page']>
  split?: NonNullable<ReadRequest['split']>
}

/** What an earlier run decided. */
export type Settled = {columns?: readonly Column[]; rows: number}

/** Straight from bytes to bytes where that is possible; record by record where every line must be checked. */
export async function createExportRenderer(
  layout: ExportLayout,
  look: readonly string[],
  settled: Settled,
): Promise<ExportRenderer> {
  const options = toOptions(layout, look, settled)
  const {where} = layout
  const narrowed = toNarrowed(layout, look)
  if (!narrowed) {
    const renderer = await createRecordPageRenderer(layout.format, {...options, where})
    return toExportRenderer(renderer, ({body}, take) => renderer.page(body, take))
  }

  const renderer = await createPageRenderer(layout.format, {...options, ...narrowed})
  return toExportRenderer(renderer, ({elements}, take) => renderer.page(elements, take), renderer.scan)
}

/** What the renderer of pages needs for conditions; undefined where each row must be looked at. */
export function toNarrowed(
  {where, columns, lines}: Pick<ExportLayout, 'where' | 'columns' | 'lines'>,
  look: readonly string[],
): Pick<IntakeOptions, 'look' | 'keep' | 'match'> | undefined {
  const match = createMatch(where, columns, lines)
  if (!match) return undefined
  const {fields, holds, rows} = match
  return {look: [...new Set([...look, ...fields])], ...(fields.length > 0 && {keep: holds}), match: rows}
}

function toExportRenderer(
  renderer: Pick<PageRenderer, 'start' | 'end' | 'columns'>,
  page: ExportRenderer['page'],
  split?: NonNullable<ReadRequest['split']>,
): ExportRenderer {
  return {
    start: () => renderer.start(),
    end: () => renderer.end(),
    page,
    ...(split && {split}),
    get columns() {
      return renderer.columns
    },
  }
}

function toOptions(layout: ExportLayout, look: readonly string[], {columns, rows}: Settled): PageRendererOptions {
  const {lines, chosen, dialect, delimiter} = layout
  return {
    columns: layout.columns,
    look,
    rowsBefore: rows,
    ...(lines && {lines}),
    ...(chosen && {chosen}),
    ...(dialect && {dialect}),
    ...(delimiter !== undefined && {delimiter}),
    ...(columns && {settled: columns}),
  }
}

/** What ended a page, where an element of it may be no record. */
export function failureOf(page: Page, error: unknown): unknown {
  return error instanceof RecordProblem ? page.unreadable(error.index) : error
}
