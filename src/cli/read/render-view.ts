import type {TextPage} from '../../formats/write/html/text-page.js'
import type {ViewFormat} from '../app/flags.js'

type Asked = {output?: ViewFormat | undefined; 'output-file'?: string | undefined}

/** The format of a view: as asked, else by the name of the file. */
export function viewOf({output, 'output-file': path = ''}: Asked): ViewFormat {
  if (output) return output
  if (/\.html?$/i.test(path)) return 'html'
  return /\.(md|markdown)$/i.test(path) ? 'markdown' : 'table'
}

/** A page in its format; Markdown has at most about `mostBytes` bytes. */
export async function renderView(format: 'html' | 'markdown', page: TextPage, mostBytes: number): Promise<string> {
  if (format === 'html') return (await import('../../formats/write/html/text-page.js')).renderTextPage(page)
  return (await import('../../formats/write/table/markdown-page.js')).renderMarkdownPage(page, mostBytes)
}
