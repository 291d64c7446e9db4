import type {ExitName} from '../../contract/index.js'
import type {Fates} from '../send/fates.js'

export type Ending = {
  rows: Fates
  /** HTTP status of the refusal that stopped the run. */
  refusedStatus?: number | undefined
  /** Exit name of the failure that kept a set from being sent. */
  unsentBecause?: ExitName | undefined
  /** Exit name of the signal that stopped the run. */
  stoppedBy?: ExitName | undefined
  /** The journal could not take what the service had answered. */
  unkept?: boolean | undefined
}

/**
 * The exit name of a run from what became of its rows. Doubt comes first, because the next step differs; then a journal
 * that cannot be written, which stopped the run; then a signal, which shells must see; then the order of the contract.
 */
export function exitOfRun({rows, refusedStatus, unsentBecause, stoppedBy, unkept}: Ending): ExitName {
  const {applied, refused, rolledBack, inDoubt, unsent} = rows
  if (inDoubt > 0) return 'inDoubt'
  if (unkept || unsentBecause === 'storage') return 'storage'
  if (refused + rolledBack + unsent === 0) return 'ok'
  if (stoppedBy !== undefined && refused === 0) return stoppedBy
  if (applied > 0) return 'partial'
  if (refused > 0) return exitOfRefusal(refusedStatus)
  return unsentBecause ?? 'failure'
}

/** The exit name of one refusal by its HTTP status; a redirect is never followed and counts as unsafe. */
export function exitOfRefusal(status = 0): ExitName {
  if (status >= 300 && status < 400) return 'unsafe'
  return status === 401 || status === 403 ? 'denied' : 'refused'
}
