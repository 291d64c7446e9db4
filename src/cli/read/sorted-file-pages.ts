import type {Column} from '../../formats/columns.js'
import type {FileFormat} from '../../formats/names.js'
import {createSortedRenderer, PageOutput, type SortedOptions} from '../../formats/scan/page-renderer.js'
import type {PageFileWriter} from '../../formats/write/page-row-writer.js'
import {comma} from '../../values/byte-codes.js'
import {stopSignal} from '../app/signals.js'
import {type FileSinkOptions, findPageWriter} from './file-sink.js'
import {type PageSink, toSorted} from './page-sink.js'
import type {TextTarget} from './text-target.js'

/**
 * Sorts rows as records of one row each, and writes them to a file that is no text as if they had come so. Nothing is
 * written before the last page. Time: that of a sorted renderer and of the file; memory: the same.
 */
export async function createSortedFilePages(
  format: FileFormat,
  target: TextTarget,
  options: FileSinkOptions & SortedOptions,
): Promise<PageSink> {
  const {createPageFileWriter} = await import('../../formats/write/page-row-writer.js')
  const renderer = await createSortedRenderer('rows', options)
  let writer = await open([])
  let rows = 0

  return {
    ...toSorted(renderer),
    async end() {
      const unknown = renderer.unknown()
      if (unknown.length > 0) writer = await open(unknown) // nothing was written yet
      const list = new PageOutput()
      for (const {bytes} of renderer.pieces()) {
        stopSignal.throwIfAborted()
        list.at = 0
        list.text('[')
        list.copy(bytes, bytes[0] === comma ? 1 : 0, bytes.length)
        list.text(']')
        rows += await writer.page(writer.scan(list.written()))
      }

      await writer.end()
    },
    get rows() {
      return rows
    },
    get isCut() {
      return renderer.isCut
    },
    get lost() {
      return writer.lost
    },
    get notes() {
      return writer.notes
    },
    data: null,
  }

  async function open(unknown: readonly Column[]): Promise<PageFileWriter> {
    const {match: _asked, keep: _kept, look: _seen, columns, ...rest} = options
    const wider = {...rest, columns: [...columns, ...unknown]}
    return createPageFileWriter(wider, await findPageWriter(format, target, wider))
  }
}
