import type {ExitName} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {Fates} from '../rows/fates.js'

/** How a run ended: all that its exit code depends on. */
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
  unkept?: boolean | undefined
  /** What a dry run found. */
  dryRun?: 'blocked' | 'changes' | 'ok' | undefined
  /** The user answered no. */
  isCancelled?: boolean | undefined
  /** The run was to use up the requests of the day, and did. */
  isQuotaSpent?: boolean | undefined
  /** There was no row, and that is a failure. */
  isEmpty?: boolean | undefined
  /** Rows stay as they are, because it is not known how they were before. */
  isPartlyKnown?: boolean | undefined
  /** The end of the run, a file about it, or its output could not be written. */
  isUnwritten?: boolean | undefined
  /** Sets in doubt were resolved and none was meant to be sent: unsent rows are no failure of the program. */
  isReconciled?: boolean | undefined
}

/** The exit name of a run. The fates of the rows come first; then files and output that could not be written. */
export function exitOfRun(ending: Ending): ExitName {
  const {dryRun, isCancelled, isPartlyKnown, isEmpty, isUnwritten} = ending
  const exit = isCancelled ? 'failure' : dryRun ? exitOfDryRun(dryRun) : exitOfRows(ending)
  if (exit !== 'ok') return exit
  if (isPartlyKnown) return 'incomplete'
  if (isEmpty) return 'empty'
  return isUnwritten ? 'storage' : 'ok'
}

function exitOfDryRun(found: NonNullable<Ending['dryRun']>): ExitName {
  return found === 'blocked' ? 'invalid' : found
}

/**
 * Doubt comes first, because the next step differs; then a journal that cannot be written, which stopped the run; then
 * a signal, which shells must see; then rows that were applied while others were not.
 */
function exitOfRows({
  rows,
  refusedStatus,
  unsentBecause,
  stoppedBy,
  unkept,
  isQuotaSpent,
  isReconciled,
}: Ending): ExitName {
  const {applied, refused, rolledBack, inDoubt, unsent} = rows
  if (inDoubt > 0) return 'inDoubt'
  if (unkept || unsentBecause === 'storage') return 'storage'
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

/** The same report with more known of how its run ended. */
export function withEnding<Report extends {ending: Ending; exit: ExitName}>(
  report: Report,
  more: Partial<Ending>,
): Report {
  const ending = {...report.ending, ...more}
  return {...report, ending, exit: exitOfRun(ending)}
}

/** Exit name of the signal that stopped a run. */
export function stopOf(signal: AbortSignal | undefined): ExitName | undefined {
  if (!signal?.aborted) return undefined
  return signal.reason instanceof CliFailure ? signal.reason.exit : 'interrupted'
}
