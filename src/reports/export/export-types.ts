import type {Client, FilterValues} from '../../client/types.js'
import type {ReportId} from '../../contract/index.js'
import type {Clock} from '../../core/clock.js'
import type {ErrorEntry} from '../../core/errors.js'
import type {Column} from '../../formats/columns.js'
import type {PartFile} from '../../formats/files/part-file.js'
import type {LineNames} from '../../formats/lines.js'
import type {DialectName} from '../../formats/names.js'
import type {PageFormat} from '../../formats/outputs/format-table.js'
import type {ServiceSource} from '../../values/service.js'
import type {TimeBasis} from '../read/report-range.js'
import type {Grade, Manifest, RowKind} from './manifest.js'

/**
 * `written`: the file has its name. `complete`: it had it before, and nothing was read. `incomplete`: the rows stay in
 * NAME.part, because they are not all that was asked or too little was proven. `skipped`: there was no row to write.
 */
export type ExportOutcome = {
  kind: 'written' | 'complete' | 'incomplete' | 'skipped'
  manifest: Manifest
  /** Rows that were not in the file before this export; the manifest counts all. */
  added: number
  errors: ErrorEntry[]
  /** Boundary checks of this run; the manifest also counts those of earlier runs of the file. */
  probes: number
  /** An earlier run had read it all; this one gave it its name and read nothing. */
  wasSealed: boolean
}

/** Format, columns and dialect of the output. */
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
  /** Requested values that move with the time: `-7d`, `now`; the first run of an export fixes them. */
  moving: {start?: string; end?: string; where?: readonly string[]}
  timeBasis: TimeBasis
}

/** The keys of the records that were read from a moment on. */
export type KeysSince = (moment: string) => string[]

/** Service, settings and state of reports: the same for all exports of a command. */
export type ExportEngine = {
  client: Pick<Client, 'readPages'>
  clock: Clock
  source: ServiceSource
  /** The folder of checkpoints and locks. */
  folder: string
  tool: string
  /** Days that the service serves in one request, as far as known. */
  maximumDays: number
  pageSize: number
  pagesInFlight: number
  /** Whether the boundaries between pages are checked. */
  probes: boolean
}

/** One export to one file. */
export type ExportOrder = {
  ask: ExportAsk
  layout: ExportLayout
  /** The output file. */
  path: string
  /** Takes the bytes in the place of the file. */
  into: PartFile | 'file'
  overwrite: boolean
  fresh: boolean
  /** Add to the file that is there. */
  append: boolean
  /** Write nothing where no row would be added. */
  skipEmpty: boolean
  /** An export that proved less gets no name. */
  requireGrade: Grade
  /** Records of earlier exports. */
  before: ExportedBefore
  /** Whether a later export begins where this one ends: then the keys of all windows are wanted in the end. */
  isNamed: boolean
  history: FileHistory
}

/** Keys of records that were exported before and are left out; `isFirst`: no export of the name has ended yet. */
export type ExportedBefore = {isFirst: boolean; keys: readonly string[]}

/** Facts about earlier exports to a file. */
export type FileHistory = {
  /** The command that does the same from its beginning. */
  startOver: string
  /** Command that resumes the unfinished export to it. */
  resume: string
  /** Rows of the last finished export; `ended` is the end of a sentence, empty where nothing is known. */
  rows: number
  ended: string
  /** The other machine that ran the name last. */
  movedBy: string | undefined
}

/** Events while windows are read; an error that a consumer throws at one ends the reading. */
export type ReadingEvent =
  /** The requests that are still to come, with the first page. */
  | {kind: 'forecast'; requests: number}
  /** A page was read; `rows` are those of the output. */
  | ({kind: 'page'; rows: number} & PagePosition)
  /** The service serves less in one request than was known; in milliseconds. */
  | {kind: 'clamp'; longest: number}
  | Notice

/** Something that a person should know, and that fails nothing. */
export type Notice = {kind: 'notice'; text: string}
export type PagePosition = {window: number; page: number; totalPages: number; done: number}

/** Events of one file, in this order; an error that a consumer throws at an event ends the export. */
export type FileEvent =
  /** No other export writes to the file from here on; nothing was read. */
  | {kind: 'locked'; path: string}
  /** The checkpoint is made, or an earlier run made it. */
  | {kind: 'begun'; isNew: boolean}
  /** The range that is read, and the conditions where they move with the time. */
  | {kind: 'range'; start: string; end: string; timeBasis: TimeBasis; where: readonly string[]}
  | ReadingEvent
  /** The export ends early; `rows` are kept. */
  | {kind: 'kept'; path: string; rows: number}
  /** All is read, and only names are missing; `text` is the manifest to write beside the file. */
  | {kind: 'sealed'; manifest: Manifest; keysSince: KeysSince; text: string}
  /** The file and its manifest have their names, unless there was nothing to write. */
  | {kind: 'written'; manifest: Manifest; keysSince: KeysSince; isFile: boolean}
  /** The outcome; no other export could write to the file until here. */
  | {kind: 'done'; outcome: ExportOutcome}

/** The export to a file while it happens. */
export type Exporting = AsyncGenerator<FileEvent, ExportOutcome, void>
