import type {ExitName, WriteId} from '../../contract/index.js'
import type {ErrorEntry, ErrorGroup} from '../../core/errors.js'
import type {RowFile} from '../../formats/read/read-rows.js'
import type {Reading} from '../../formats/read/row.js'
import type {Problem} from '../../validate/problem.js'
import type {List} from '../../values/list.js'
import type {Layout} from '../../values/place.js'
import type {Fates} from '../rows/fates.js'
import type {Comparison, LiveSent, Move, RowOutcome, SiteTotal} from '../rows/phases.js'
import type {Ending} from './exit-of-run.js'

/** One line of the table of refusals. A pointer that matches no row has no line. */
export type RefusedRow = {
  file: string
  sheet?: string
  line?: number
  /** The row as a spreadsheet counts it, where that is not the line. */
  row?: number
  column?: number
  columnName?: string
  /** What people call the record, where that is known. */
  name?: string
  /** The value that the pointer names, as it was sent. */
  cell?: string
  code: string
  message: string
  pointerName?: string
  pointer?: string | number
  /** Number of the refused set, from 1. */
  set: number
  /** Lines of the first and last row of the set, when no row of it can be blamed. */
  lines?: [number, number]
}

/** A note about a set: why it is in doubt, or was not sent. */
export type SetNote = {
  file: string
  lines: [number, number]
  /** The first and the last record of the set, where they go by texts. */
  names?: [string, string]
  code: string
  message: string
}

type SetCounts = {planned: number; sent: number; applied: number}

/** The rows of a run once more, as they were written. */
export type RowCopies = {
  rows(): Promise<RowFile>
  /** To be called when all was read. Throws a `CliFailure` (storage) when they are other rows by now. */
  checkSame(): void
  /** The file beside which others are written. */
  beside: string
}

/** How far a change has reached the machines that must pick it up. */
export type PickUp = {
  machines: number
  /** Machines that do not have it yet. */
  waiting: number
  /** Their last signs of life: the oldest and the newest, in server time; null where none is known. */
  oldest: string | null
  newest: string | null
}

/** What became of a run. A run that was done in part is a report like any other. */
export type RunReport = {
  /** Name of the run in the journal; absent when nothing was to be sent. */
  runId?: string
  operation: WriteId
  file: string
  /** How the file was read; absent when the rows did not come from one. */
  input?: Reading
  /** How people find the rows of the file. */
  layout?: Layout
  /** Where copies of the rows are made from, when that is not the input that was just read. */
  copies?: RowCopies
  dryRun: boolean
  /** Rows by fate; they add up to the rows of the file. */
  rows: Fates
  sets: SetCounts
  /** One for each row, in the order of the file. */
  outcomes: List<RowOutcome>
  refusals: RefusedRow[]
  /** Sets in doubt, and sets that could not be sent. */
  notes: SetNote[]
  /** For the envelope: each refused row, each set in doubt, and why sets were not sent. */
  entries: ErrorEntry[]
  /** The entries as people are shown them, where that is shorter. */
  groups?: readonly ErrorGroup[]
  /** Problems of the file that did not stop it. */
  warnings: readonly Problem[]
  /** What the reader should know, in sentences. */
  notices: readonly string[]
  /** How the run ended, and the exit name that follows from it. */
  ending: Ending
  exit: ExitName
  /** Sets that are in doubt were sent again to find out about them, which showed nothing. */
  sentAgain?: boolean
  /** Rows in doubt of an earlier run were sent again for this write, and applied. */
  sentEarlier?: boolean
  /**
   * What was planned: requests are those that write and those that read before; `rereads`: at most so many more read
   * again what changes by itself.
   */
  plan: {sets: number; requests: number; rows: number; unchanged: number; rereads?: number; deletions?: number}
  /** What would change, where the current records were read. */
  comparison?: Comparison
  /** Rows that all runs of this user applied since 00:00 UTC, where the service has a daily limit for the operation. */
  appliedToday?: number
  moves?: readonly Move[]
  totals?: readonly SiteTotal[]
  /** Records that were sent with values that were read right before, and the greatest age of those. */
  live?: LiveSent & {fields: readonly string[]}
  /** Rows that count as applied by a change of their size that could be another person's. */
  equalChanges?: number
  /** How far the change has reached the machines, where it concerns them. */
  pickUp?: PickUp
}
