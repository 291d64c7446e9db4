import type {Select} from '../../formats/select.js'
import type {JsonRecord} from '../../values/json.js'
import type {Progress} from '../terminal/progress.js'
import {keepMemoryFlat} from './flat-memory.js'
import type {RecordSink} from './record-sink.js'

/** One page on its way to the output. */
export type Step = {
  records: Iterable<JsonRecord>
  /** Whether further pages follow. */
  more: boolean
  /** How far the read is, for people. */
  progress: (rows: number) => string
}

export type Drained = {pages: number /** The limit ended the read before the last page. */; more: boolean}

/**
 * Takes pages until the last one or the limit; a page is written only once all of it was checked. A limit of 0 asks for
 * none, and what there is was cut off as by any other limit.
 */
export async function drainPages(
  steps: AsyncIterable<Step>,
  {select, sink, progress}: {select: Select; sink: RecordSink; progress: Progress},
): Promise<Drained> {
  const drained: Drained = {pages: 0, more: false}
  progress.update('Reading …')
  try {
    for await (const step of steps) {
      drained.pages++
      progress.pause()
      await sink.page(select.page(step.records))
      drained.more = select.isFull && step.more
      if (select.isFull) break
      if (drained.pages === 1 && step.more) keepMemoryFlat()
      if (step.more) progress.update(step.progress(sink.rows))
    }
    progress.pause()
    await sink.page(select.end())
    if (drained.pages === 0 && select.isFull) drained.more = true
    return drained
  } finally {
    progress.end()
  }
}
