import type {Client} from '../../client/types.js'
import type {ExitName} from '../../contract/index.js'
import type {BootMoment, Clock} from '../../core/clock.js'
import type {JsonValue} from '../../values/json.js'
import type {LoadedRun} from '../journal/load-run.js'
import type {Evidence} from '../journal/run-facts.js'
import type {RunReport} from '../report/report.js'

export type ReconcileOptions = {
  client: Pick<Client, 'readPages' | 'write'>
  /** Its `now` is for dates only; waits are measured by `moment`. */
  clock: Pick<Clock, 'now' | 'sleep'>
  moment: () => BootMoment
  /** How long after the doubt began a missing record proves that nothing was applied; 120 s unless given. */
  settleMilliseconds?: number | undefined
  /** Send records again that were not found, although a first copy that arrives even later would double them. */
  resendAfterSettle?: boolean | undefined
  /** What may be sent again. Deletions must not, unless given: their number is confirmed first. */
  sends?: 'all' | 'noDeletions' | 'nothing' | undefined
  /** What a person says of every set in doubt; nothing is read or sent. */
  assume?: 'applied' | 'notApplied' | undefined
  /** Probe once, report what would be done, and change nothing. */
  dryRun?: boolean | undefined
  /** Once aborted, waiting ends and nothing further is read or sent. */
  signal?: AbortSignal | undefined
  onProgress?: ((progress: ReconcileProgress) => void) | undefined
}

/** Which probe comes next, and in how many milliseconds; 0 while it runs. */
export type ReconcileProgress = {set: number; probe: number; probes: number; milliseconds: number}

/**
 * What became of a set in doubt. `notApplied`: proven, and its rows may be sent, which `runs resume` does. `inDoubt`:
 * only a person can decide.
 */
export type ReconciledFate = 'applied' | 'refused' | 'notApplied' | 'inDoubt'

/** A field of a record that is neither as it was sent nor, where that is known, as it was before. */
export type Difference = {
  line: number
  id: JsonValue
  field: string
  expected: JsonValue
  /** Undefined where it is not known how the record was before. */
  before?: JsonValue
  found: JsonValue
}

export type ReconciledSet = {
  /** Number of the part in the journal. */
  part: number
  /** Number of the set in the plan. */
  set: number
  rows: number
  /** Lines of the first and the last row. */
  lines: [number, number]
  fate: ReconciledFate
  how: Evidence | null
  /** Probes that proved something, and probes that failed. */
  probes: {good: number; void: number}
  /** Times the set, or what is left of it, was sent again. */
  sent: number
  /** Of a set that waits for a confirmation: how many records would be deleted. */
  deletions?: number
  /** What was found and what it proves, in sentences. */
  evidence: string[]
  /** The rows that a person must look at; the id of the record that was sent or found, where there is one. */
  unclear: {line: number; id: JsonValue}[]
  differences: Difference[]
  /** A command that shows the records in question. */
  look?: string
}

/** Whether sets wait until the number of their deletions is confirmed. */
export function isUncounted({sets}: Pick<ReconcileReport, 'sets'>): boolean {
  return sets.some(({deletions}) => deletions !== undefined)
}

/** How many records they would delete. */
export function deletionsLeft({sets}: Pick<ReconcileReport, 'sets'>): number {
  return sets.reduce((sum, {deletions = 0}) => sum + deletions, 0)
}

/** What reconciling a run brought. */
export type ReconcileReport = {
  /** One for each set that was in doubt, in the order of the run. */
  sets: ReconciledSet[]
  /** Whether nothing is in doubt now. */
  solved: boolean
  /** The reason of the signal, when that ended it. */
  stopped: boolean
  /** The run as it is now. */
  loaded: LoadedRun
  report: RunReport
  exit: ExitName
}
