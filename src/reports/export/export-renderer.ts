import type {Page} from '../../client/types.js'
import type {Column} from '../../formats/columns.js'
import {createMatch} from '../../formats/conditions.js'
import {createPageRenderer} from '../../formats/outputs/format-table.js'
import {
  type PageRenderer,
  type PageRendererOptions,
  RecordProblem,
  type Take,
} from '../../formats/scan/page-renderer.js'
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
    ...{columns: layout.columns, look: [...new Set([...look, ...fields])], match, names},
    ...(holds && {keep: holds}),
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

/** What `work` throws at a page, as the failure that its records would end in. */
export async function orFail<Result>(page: Page, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw failureOf(page, error)
  }
}

/** Has each record checked for what was asked for, first. */
export function checked(page: Page, take: Take): Take {
  return (seen, key, index) => {
    page.check(seen)
    return take(seen, key, index)
  }
}
