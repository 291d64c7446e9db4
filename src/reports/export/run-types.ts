import type {Page} from '../../client/types.js'
import type {ExportSink} from './export-sink.js'
import type {ExportOptions} from './export-types.js'
import type {PartFacts} from './part-facts.js'

/** A window that is being read. */
export type ExportPart = {partition: number; from: string; to: string; facts: PartFacts}

/** What the steps of one export share. */
export type ExportRun = {
  options: ExportOptions
  sink: ExportSink
  /** Requests for pages and for boundaries, over all runs of this export. */
  counts: {requests: number; probes: number}
  /** Rows in the output. */
  rows: number
  /** The keys of the page before, in order; none after a restart. */
  lastKeys: readonly string[]
  /** The pages of a window that are not in the output yet. */
  readPages(part: ExportPart): AsyncIterable<Page>
  /** One page of a window; undefined when the service has none there. */
  readOne(part: ExportPart, number: number, size: number): Promise<Page | undefined>
  /** Takes note of what the service made of the window. Throws when it makes no sense. */
  learn(part: ExportPart, page: Page): void
  /** Has the next run of this export read the window from its beginning. */
  leave(part: ExportPart, why: string): Promise<void>
  /** Whether the window must be cut before the next page, because one answer was to hold all of it. */
  mustBeNarrower(part: ExportPart): boolean
  tellProgress(part: ExportPart, page: Page): void
}
