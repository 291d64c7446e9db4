import type {FilterValues} from '../../client/types.js'
import type {PageChart} from '../../formats/write/html/page-data.js'
import type {Written} from '../../reports/read/row-sink.js'
import type {Window} from '../../reports/read/windows.js'
import type {Summary} from '../../reports/summary/count-lines.js'
import type {PeriodBefore} from '../../reports/summary/read-summary.js'
import type {SummaryKey} from '../../reports/summary/summary-keys.js'
import type {CommandContext} from '../app/command-context.js'
import type {OpenedClient} from '../client/open-client.js'
import type {ReadFlags} from '../read/read-flags.js'
import type {TextTarget} from '../read/text-target.js'

export type SummaryFlags = ReadFlags & {
  /** By day unless given. */
  readonly by?: readonly SummaryKey[] | undefined
  readonly deliver?: string | undefined
  readonly chart?: PageChart | undefined
}

/** Source of the counts: a live read, with the range that was served, or a file. */
export type SummarySource = LiveSource | {readonly file: string}
export type LiveSource = {
  readonly opened: OpenedClient
  readonly filters: FilterValues
  readonly range: Window
  /** The period before, or the reason why it was not read. */
  readonly before?: PeriodBefore | undefined
}

/** A summary whose output is open. */
export type SummaryWork = {
  readonly flags: SummaryFlags
  readonly output: SummaryOutput
  readonly write: (source: SummarySource) => Promise<Written>
  readonly target: TextTarget
  readonly context: CommandContext
}

/** `isMixed` as for `createSummary`. */
export type OutputOptions = {isMixed: boolean; context: CommandContext}

/** The output of a summary: groups as records, or a picture. */
export type SummaryOutput = {
  readonly summary: Summary
  /** Whether days are shown whole, beside the period before. */
  readonly isPage: boolean
  /** Meaning of its rows. */
  readonly unit: string
  /** Writes all that was counted; values that are in no total are reported first. */
  open(target: TextTarget): Promise<(source: SummarySource) => Promise<Written>>
}
