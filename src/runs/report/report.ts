import type {ExitName, WriteId} from '../../contract/index.js'
import {CliFailure, type ErrorEntry, type ErrorGroup} from '../../core/errors.js'
import type {RowFile} from '../../formats/read/read-rows.js'
import type {Reading} from '../../formats/read/row.js'
import type {Problem} from '../../validate/problem.js'
import {defined} from '../../values/defined.js'
import type {List} from '../../values/list.js'
import type {FilePlace, Layout} from '../../values/place.js'
import type {RowList} from '../rows/cut-sets.js'
import type {Comparison, Fates, LiveSent, Move, RowOutcome, SiteTotal} from '../rows/phases.js'

/** One line of the table of refusals. A pointer that matches no row has no line. */
export type RefusedRow = FilePlace & {
  file: string
  columnName?: string
  /** Name of the record for people, where that is known. */
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

/** The rows of a run once more, as they were written. */
export type RowCopies = {
  rows(): Promise<RowFile>
  /** To be called when all was read. Throws a `CliFailure` (storage) when they are other rows by now. */
  checkSame(): void
  /** The file beside which others are written. */
  beside: string
}

/** Progress of a change at the machines that must pick it up. */
export type PickUp = {
  machines: number
  /** Machines that do not have it yet. */
  waiting: number
  /** Their last signs of life: the oldest and the newest, in server time; null where none is known. */
  oldest: string | null
  newest: string | null
}

/** The outcome of a run. A run that was done in part is a report like any other. */
export type RunReport = {
  /** Name of the run in the journal; absent when nothing was to be sent. */
  runId?: string
  operation: WriteId
  file: string
  /** Encoding and shape in which the file was read; absent when the rows did not come from one. */
  input?: Reading
  /** Names of the places of the rows in the file. */
  layout?: Layout
  /** Source of copies of the rows, when that is not the input that was just read. */
  copies?: RowCopies
  dryRun: boolean
  /** Rows by fate; they add up to the rows of the file. */
  rows: Fates
  /** Rows that were applied, by whether they made a record or changed one. */
  changes: {created: number; updated: number}
  sets: {planned: number; sent: number; applied: number}
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
  /** Facts for the reader, in sentences. */
  notices: readonly string[]
  /** The end of the run, and the exit name that follows from it. */
  ending: Ending
  exit: ExitName
  /** Sets that are in doubt were sent again to find out about them, which showed nothing. */
  sentAgain?: boolean
  /** Rows in doubt of an earlier run were sent again for this write, and applied. */
  sentEarlier?: boolean
  /**
   * Planned requests: those that write and those that read before; `rereads`: further reads of values that change by
   * themselves, more of them only where a request takes long.
   */
  plan: {
    sets: number
    requests: number
    rows: number
    unchanged: number
    rereads?: number
    deletions?: number
    created?: number
  }
  /** Changes, where the current records were read. */
  comparison?: Comparison
  /** Records that a dry run would make new, where it compares none. */
  newRecords?: RowList
  /** Rows that all runs of this user applied since 00:00 UTC, where the service has a daily limit for the operation. */
  appliedToday?: number
  moves?: readonly Move[]
  totals?: readonly SiteTotal[]
  /** Records that were sent with values that were read right before, and the greatest age of those. */
  live?: LiveSent & {fields: readonly string[]}
  /** Rows that count as applied by a change of their size that could be another person's. */
  equalChanges?: number
  /** Progress of the change at the machines, where it concerns them. */
  pickUp?: PickUp
}

/** The end of a run: all that its exit code depends on. */
export type Ending = {
  /** The rows that were meant to be sent. */
  rows: Fates
  /** HTTP status of the refusal that stopped the run. */
  refusedStatus?: number | undefined
  /** Exit name of the failure that kept a set from being sent. */
  unsentBecause?: ExitName | undefined
  /** Exit name of the signal that stopped the run. */
  stoppedBy?: ExitName | undefined
  /** The journal could not take what the service had answered. */
  unrecorded?: boolean | undefined
  /** Result of a dry run. */
  dryRun?: 'blocked' | 'changes' | 'ok' | undefined
  /** The user answered no. */
  isCancelled?: boolean | undefined
  /** The run was to use up the requests of the day, and did. */
  isQuotaSpent?: boolean | undefined
  /** There was no row, and that is a failure. */
  isEmpty?: boolean | undefined
  /** Rows are not changed back, because their values before are not known. */
  isPartlyKnown?: boolean | undefined
  /** The end of the run, a file about it, or its output could not be written. */
  isUnwritten?: boolean | undefined
  /** Sets in doubt were resolved and none was meant to be sent: unsent rows are no failure of the program. */
  isReconciled?: boolean | undefined
}

/** The exit name of a run. The fates of the rows come first; then files and output that could not be written. */
export function exitOfRun(ending: Ending): ExitName {
  const {dryRun, isCancelled, isPartlyKnown, isEmpty, isUnwritten} = ending
  const exit = isCancelled ? 'failure' : dryRun === 'blocked' ? 'invalid' : (dryRun ?? exitOfRows(ending))
  if (exit !== 'ok') return exit
  if (isPartlyKnown) return 'incomplete'
  if (isEmpty) return 'empty'
  return isUnwritten ? 'storage' : 'ok'
}

/**
 * Doubt comes first, because the next step differs; then a journal that cannot be written, which stopped the run; then
 * a signal, which shells must see; then rows that were applied while others were not.
 */
function exitOfRows(ending: Ending): ExitName {
  const {rows, refusedStatus, unsentBecause, stoppedBy, unrecorded, isQuotaSpent, isReconciled} = ending
  const {applied, refused, rolledBack, inDoubt, unsent} = rows
  if (inDoubt > 0) return 'inDoubt'
  if (unrecorded || unsentBecause === 'storage') return 'storage'
  if (refused + rolledBack + unsent === 0) return 'ok'
  if (stoppedBy !== undefined && refused === 0) return stoppedBy
  if (applied > 0) return isQuotaSpent ? 'limited' : 'partial'
  if (refused > 0) return exitOfRefusal(refusedStatus)
  const exit = unsentBecause ?? 'failure'
  return exit === 'failure' && isReconciled ? 'partial' : exit
}

/** The exit name of one refusal by its HTTP status; a redirect is never followed and counts as unsafe. */
export function exitOfRefusal(status = 0): ExitName {
  if (status >= 300 && status < 400) return 'unsafe'
  return status === 401 || status === 403 ? 'denied' : 'refused'
}

/** Whether a refusal is about the login or the address, and no row is at fault unless a pointer names it. */
export function isAboutAccess(status = 0): boolean {
  return exitOfRefusal(status) !== 'refused' || status === 404
}

/**
 * A run ends as limited, not as partial, when nothing but a limit of the operation itself stopped it; with --until-quota
 * also when nothing but the quota did.
 */
export function endedByQuota(
  {rows, entries}: Pick<RunReport, 'rows' | 'entries'>,
  untilQuota: boolean | undefined,
): boolean {
  const {refused, rolledBack, inDoubt} = rows
  const isExpected = ({code}: {code: string}) => code === 'OWN_LIMIT' || (untilQuota === true && spent.has(code))
  return refused + rolledBack + inDoubt === 0 && entries.length > 0 && entries.every(isExpected)
}

const spent = new Set(['QUOTA_SPENT', 'QUOTA'])

/** A report with more known of how its run ended. */
export function withEnding<Report extends {ending: Ending; exit: ExitName}>(
  report: Report,
  more: Partial<Ending>,
): Report {
  const ending = {...report.ending, ...more}
  return {...report, ending, exit: exitOfRun(ending)}
}

/** The report of two runs of one command, each with rows of its own. */
export function joinReports(one: RunReport, other: RunReport): RunReport {
  const outcomes = [...one.outcomes, ...other.outcomes].sort((a, b) => a.line - b.line)
  const joined = {
    ...{...one, ...other, outcomes, rows: addUp(one.rows, other.rows), sentEarlier: one.rows.applied > 0},
    ...{changes: addUp(one.changes, other.changes), sets: addUp(one.sets, other.sets)},
    plan: addUp(one.plan, other.plan),
    refusals: [...one.refusals, ...other.refusals],
    notes: [...one.notes, ...other.notes],
    entries: [...one.entries, ...other.entries],
    warnings: [...one.warnings, ...other.warnings],
    notices: [...one.notices, ...other.notices],
    ...(one.comparison && other.comparison && {comparison: joinComparisons(one.comparison, other.comparison)}),
  }
  return withEnding(joined, joinEndings(one.ending, other.ending))
}

/** The end of two runs of one command. */
export function joinEndings(one: Ending, other: Ending): Ending {
  return {...one, ...defined(other), rows: addUp(one.rows, other.rows)}
}

function joinComparisons(one: Comparison, other: Comparison): Comparison {
  return {
    changes: [...one.changes, ...other.changes],
    missing: [...one.missing, ...other.missing],
    unchanged: one.unchanged + other.unchanged,
  }
}

function addUp<Counts extends {readonly [name: string]: number}>(one: Counts, other: Counts): Counts {
  const names = [...Object.keys(one), ...Object.keys(other)]
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)])) as Counts
}

/** Exit name of the signal that stopped a run. */
export function stopOf(signal: AbortSignal | undefined): ExitName | undefined {
  if (!signal?.aborted) return undefined
  return signal.reason instanceof CliFailure ? signal.reason.exit : 'interrupted'
}
