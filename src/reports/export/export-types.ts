import type {Client, FilterValues} from '../../client/types.js'
import type {ReportId} from '../../contract/index.js'
import type {Clock} from '../../core/clock.js'
import type {ErrorEntry} from '../../core/errors.js'
import type {Column} from '../../formats/columns.js'
import type {PartFile} from '../../formats/files/part-file.js'
import type {LineNames} from '../../formats/lines.js'
import type {DialectName} from '../../formats/names.js'
import type {PageFormat} from '../../formats/outputs/format-table.js'
import type {TimeBasis} from '../read/report-range.js'
import type {Grade, Manifest, RowKind} from './manifest.js'

/**
 * `written`: the file has its name. `complete`: it had it before, and nothing was read. `incomplete`: what was read stays
 * in NAME.part, because it does not hold all that was asked or did not prove enough. `skipped`: there was no row to write.
 */
export type ExportOutcome = {
  /** Boundary checks of this run; the manifest also counts those of earlier runs of the file. */
  probes?: number
} & (
  | {
      kind: 'written' | 'complete' | 'skipped'
      manifest: Manifest
      errors?: ErrorEntry[]
      /** An earlier run had read it all; this one gave it its name and read nothing. */
      wasSealed?: true
    }
  | {kind: 'incomplete'; manifest: Manifest; errors: ErrorEntry[]}
)

/** What the output looks like. */
export type ExportLayout = {
  format: PageFormat
  gzip: boolean
  rows: RowKind
  columns: readonly Column[]
  /** Given when a batch becomes one row for each line item. */
  lines?: LineNames | undefined
  chosen?: readonly string[] | undefined
  where: readonly string[]
  dialect?: DialectName | undefined
  delimiter?: string | undefined
}

/** The report, filters and range of an export. */
export type ExportAsk = {
  report: ReportId
  /** Filters without dates. */
  filters: FilterValues
  /** Resolved edges. */
  start: string
  end: string
  /** What was asked where it moves with the time: `-7d`, `now`; the first run of an export settles it. */
  moving: {start?: string; end?: string; where?: readonly string[]}
  timeBasis: TimeBasis
}

/** The service and key it is read from: equal sources give equal answers. */
export type ExportSource = {baseUrl: string; stage: string; keyFingerprint: string; profile: string}

/** Surrounds the work of an export that has the lock of its file. What it throws before the work ends the export. */
export type WhileLocked = <Result extends {kind: string; manifest: {rows: number}} | undefined>(
  work: () => Promise<Result>,
) => Promise<Result>

/** The keys of the records that were read from a moment on. */
export type KeysSince = (moment: string) => string[]

export type ExportOptions = {
  client: Pick<Client, 'readPages'>
  clock: Clock
  signal: AbortSignal
  source: ExportSource
  layout: ExportLayout
  ask: ExportAsk
  /** The output file. */
  path: string
  overwrite: boolean
  /** Takes the bytes in the place of the file. */
  into?: PartFile
  fresh: boolean
  /** The command that does the same from its beginning. */
  startOver?: string
  /** The command that began the unfinished export to this file, as far as it is known. */
  begunAs?: string | undefined
  /** Add to the file that is there. */
  append?: boolean
  /** Write nothing where no row would be added. */
  skipEmpty?: boolean
  /** What the last finished export to this file left, as far as it is known. */
  formerly?: {rows: number; at: number} | undefined
  /** Keys of records that were exported before and are left out. */
  known?: readonly string[]
  /** Whether the keys of all windows are wanted in the end, not only those of the last. */
  keepsKeys?: boolean
  /** The folder of checkpoints and locks. */
  folder: string
  tool: string
  /** Days that the service serves in one request, as far as it is known. */
  maximumDays: number
  pageSize?: number | undefined
  pagesInFlight: number
  /** Whether the boundaries between pages are checked. */
  probes: boolean
  /** An export that proved less gets no name. */
  requireGrade: Grade
  whileLocked?: WhileLocked
  /** The checkpoint is made, or another run made it. What it throws ends the export before anything is read. */
  onBegin?: ((isNew: boolean) => void) | undefined
  /** The range that is read, and the conditions where they move with the time, once they are known. */
  onRange(range: {start: string; end: string; where?: readonly string[]}): void
  /** All is read, and only names are missing; `text` is the manifest as it will stand beside the file. */
  onSealed?: ((manifest: Manifest, keysSince: KeysSince, text: string) => Promise<void>) | undefined
  /** The file and its manifest have their names, unless there was nothing to write. */
  onWritten?:
    | ((manifest: Manifest, keysSince: KeysSince, kind: 'written' | 'skipped') => Promise<void> | void)
    | undefined
  /** Before each page is taken. What it throws ends the export. */
  onPage?: (() => void) | undefined
  /** The export ends early; `rows` are kept. */
  onKept(rows: number): void
  /** The service serves less in one request than was known; in milliseconds. */
  onLongest?: ((longest: number) => void) | undefined
  /** Once it is known how many requests are to come. What it throws ends the export. */
  onForecast?: ((requests: number) => void) | undefined
  onProgress(progress: ExportProgress): void
  /** Something that a person should know, and that fails nothing. */
  onNotice(text: string): void
}

export type ExportProgress = {window: number; page: number; totalPages: number; rows: number; done: number}
