import type {Format} from '../names.js'
import {createRenderer, type PageKind, type PageRenderer, type PageRendererOptions} from '../scan/page-renderer.js'

/** Text formats, and the elements of the list of an envelope. */
export type TextFormat = Format | 'elements'

/** Loads what a format needs, and only that. Throws a `CliFailure` for a bad delimiter. */
async function loadKind(format: TextFormat, options: PageRendererOptions): Promise<PageKind> {
  switch (format) {
    case 'csv':
    case 'tsv':
      return (await import('./csv.js')).csvKind(format, options)
    case 'markdown':
      return (await import('./table/markdown.js')).markdownKind(options)
    case 'table':
      return (await import('./table/table.js')).tableKind(options)
    default:
      return (await import('./json.js')).jsonKind(format, options)
  }
}

/** Renders pages in a format. Throws a `CliFailure` for a bad delimiter. */
export async function createPageRenderer(format: TextFormat, options: PageRendererOptions): Promise<PageRenderer> {
  return createRenderer(await loadKind(format, options), options)
}
