import {freeBytes, type PageRendererOptions, type RowOutput} from '../scan/page-renderer.js'
import {createPageRenderer, type Format} from './format-table.js'

/** Takes bytes, and how many rows there are with them. */
export type WriteRows = (bytes: Buffer, rows: number) => Promise<void>

/** Renders page by page; each page is one write, and the end is one also where nothing is left. */
export async function createTextOutput(
  write: WriteRows,
  format: Format | 'elements',
  options: PageRendererOptions,
): Promise<RowOutput> {
  const renderer = await createPageRenderer(format, options)
  const {scan, written} = renderer
  let head: Buffer | undefined = renderer.start()

  return {
    scan,
    written,
    async put(answer, take) {
      const {bytes: body} = answer
      const {bytes} = renderer.page(answer, take)
      freeBytes(body)
      if (renderer.isWaiting) return // also before the text in front of the first row
      const all = withHead(bytes)
      if (all.length > 0) await write(all, written.rows)
    },
    end: () => write(withHead(renderer.end()), written.rows),
  }

  function withHead(bytes: Buffer): Buffer {
    const all = head && head.length > 0 ? Buffer.concat([head, bytes]) : bytes
    head = undefined
    return all
  }
}
